export type ChartPoint = readonly [x: number, y: number];

/** A line of the chart; `kind` chooses its dress: measured with dots, a trace over time without, a thin dashed model. */
export interface ChartSeries {
  readonly name: string;
  readonly kind: 'measured' | 'earlier' | 'trace' | 'model';
  /** Number of the colour; lines of the same thing in two runs share it. */
  readonly color: number;
  readonly points: readonly ChartPoint[];
  /** Read on the axis at the right. */
  readonly onRight?: true;
  /** Index of the step behind each point, so that evidence can point at it. */
  readonly stepIndexes?: readonly number[];
  /** Steps that are not valid: their points are hollow. */
  readonly refused?: ReadonlySet<number>;
  /** 95 % intervals of points that have one. */
  readonly intervals?: readonly (readonly [x: number, low: number, high: number])[];
  /** The line is broken before the points at these x: nothing was measured in between. */
  readonly breaks?: readonly number[];
}

/** A chart of lines over load or time, with horizontal limits, vertical marks, and a shaded band. */
export interface LineChart {
  readonly id: string;
  /** Says what it shows. */
  readonly title: string;
  /** What a reader should see in it, for those who cannot. */
  readonly description: string;
  /** What a reader must know to read it, below the drawing. */
  readonly note?: string;
  readonly xLabel: string;
  readonly xTick?: (value: number) => string;
  readonly yLabel: string;
  readonly yTick: (value: number) => string;
  /** The axis of the series and limits that are `onRight`. */
  readonly right?: { readonly label: string; readonly tick: (value: number) => string };
  readonly series: readonly ChartSeries[];
  readonly limits: readonly { readonly y: number; readonly label: string; readonly onRight?: true }[];
  /** A mark can have an interval, shaded around it. */
  readonly marks: readonly {
    readonly x: number;
    readonly label: string;
    readonly interval?: readonly [low: number, high: number];
    /** The beginning of a step on a time axis: named at the top, where there is room. */
    readonly isBorder?: true;
  }[];
  readonly band?: { readonly from: number; readonly to: number; readonly label: string };
}
