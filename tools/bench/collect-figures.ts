/** One figure for one contender. */
export interface Figure {
  /** The same for all contenders that are compared with each other. */
  readonly measure: string;
  readonly contender: string;
  readonly value: number;
}

/** Receives the measurements of a bench, in addition to its output. */
export type CollectFigure = (figure: Figure) => void;

export const ignoreFigure: CollectFigure = () => undefined;
