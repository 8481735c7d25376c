/** Figure for one contender. */
export interface Figure {
  /** Name of the measurement, the same for all contenders that are compared with each other. */
  readonly measure: string;
  readonly contender: string;
  readonly value: number;
}

/** Receives the measurements of a bench, in addition to its output. */
export type CollectFigure = (figure: Figure) => void;

export const ignoreFigure: CollectFigure = () => undefined;
