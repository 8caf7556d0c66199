import type { Task } from './host.ts';

/**
 * Tasks in order of their time, those of equal time in order of arrival: a binary heap on parallel arrays.
 * Ten thousand waiting users cost about a quarter of a microsecond a request, so a timer wheel would buy
 * nothing, and the heap keeps exact times where a wheel rounds them to its tick.
 */
export class TimerQueue {
  #times: number[] = [];
  #orders: number[] = [];
  #tasks: Task[] = [];
  #nextOrder = 0;

  get size(): number {
    return this.#tasks.length;
  }

  /** Time of the first task; Infinity when there is none. */
  get firstAtSeconds(): number {
    return this.#times[0] ?? Infinity;
  }

  push(atSeconds: number, task: Task): void {
    this.#times.push(atSeconds);
    this.#orders.push(this.#nextOrder);
    this.#tasks.push(task);
    this.#nextOrder += 1;
    this.#siftUp(this.#tasks.length - 1);
  }

  /** Takes out the first task. Throws a RangeError when the queue is empty. */
  pop(): Task {
    const first = this.#tasks[0];
    if (first === undefined) throw new RangeError('the timer queue is empty');
    const last = this.#tasks.length - 1;
    this.#move(last, 0);
    this.#times.pop();
    this.#orders.pop();
    this.#tasks.pop();
    if (last > 1) this.#siftDown(0);
    return first;
  }

  #isBefore(a: number, b: number): boolean {
    const difference = this.#times[a]! - this.#times[b]!;
    return difference < 0 || (difference === 0 && this.#orders[a]! < this.#orders[b]!);
  }

  #move(from: number, to: number): void {
    this.#times[to] = this.#times[from]!;
    this.#orders[to] = this.#orders[from]!;
    this.#tasks[to] = this.#tasks[from]!;
  }

  #swap(a: number, b: number): void {
    const time = this.#times[a]!;
    const order = this.#orders[a]!;
    const task = this.#tasks[a]!;
    this.#move(b, a);
    this.#times[b] = time;
    this.#orders[b] = order;
    this.#tasks[b] = task;
  }

  #siftUp(start: number): void {
    let child = start;
    while (child > 0) {
      const parent = (child - 1) >> 1;
      if (!this.#isBefore(child, parent)) return;
      this.#swap(child, parent);
      child = parent;
    }
  }

  #siftDown(start: number): void {
    const size = this.#tasks.length;
    let parent = start;
    for (;;) {
      const left = 2 * parent + 1;
      if (left >= size) return;
      const right = left + 1;
      const child = right < size && this.#isBefore(right, left) ? right : left;
      if (!this.#isBefore(child, parent)) return;
      this.#swap(child, parent);
      parent = child;
    }
  }
}
