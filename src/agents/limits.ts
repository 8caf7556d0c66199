/**
 * Every wait between coordinator, broker and agents, seconds. An agent without its coordinator stops by itself
 * before the coordinator calls it lost, so that no load goes on that nobody counts.
 */
export const LIMITS = {
  /** How often a coordinator repeats its call while agents are missing. */
  callEverySeconds: 0.5,
  /** After the last agent that was needed answered: others may be a better choice, or of another version. */
  callGraceSeconds: 0.5,
  /** An agent that has not answered the call for so long is gone. */
  answerSeconds: 2,
  /** After the last agent that is new: no more are expected where enough are there of the wrong build. */
  rollQuietSeconds: 5,
  /** Until enough agents have answered, where the user says nothing. */
  rollCallSeconds: 60,
  /** From an order to the agent's word that it is ready; the agent itself gives up a little sooner, to say why. */
  readySeconds: 60,
  prepareSeconds: 57,
  /** After a refusal: for the others to be ready, so that they hear that they are free. */
  dismissSeconds: 1,
  /** Of one question for the time. */
  pingSeconds: 1,
  /** For all pings of one agent before the start. */
  pingsSeconds: 10,
  /** From the word to start to the start, at least; and by when all must have answered before it. */
  startLeadSeconds: 1,
  startMarginSeconds: 0.2,
  /** How often the coordinator and each agent give a sign of life. */
  beatEverySeconds: 0.5,
  pulseEverySeconds: 1,
  /** An agent that heard nothing for so long gives up its way to the broker and looks for a new one. */
  renewAfterSeconds: 1.2,
  /** An agent without a beat for so long stops its load. */
  deadManSeconds: 2.75,
  /** An agent without a sign of life for so long (three pulses) is lost. */
  lostAfterSeconds: 3.25,
  /** How often a clock is asked again, and by how many pings. */
  driftEverySeconds: 10,
  driftPings: 5,
  /** One try to store an event, and the pause before the next. */
  storeSeconds: 1,
  storePauseSeconds: 0.2,
  /** From the end of the load until all of an agent's events and its final count are kept. */
  flushSeconds: 120,
  /** How often the coordinator asks the stream again for an event that is missing. */
  gapEverySeconds: 0.5,
  /** For the final count of an agent once its last event is here, and of one try to read it. */
  finalSeconds: 30,
  finalAskSeconds: 5,
  /** A clock less sure than this would put events into the wrong second: a quarter of a frame. */
  mostUncertaintySeconds: 0.25,
} as const;

/** By the step's share of time in which an agent ran or waited for a core. */
export const AGENT_LIMIT_RATIO = 0.8;
