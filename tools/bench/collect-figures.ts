/** One figure of one contender. */
export interface Figure {
  /** Same for all contenders that it is compared with. */
  readonly measure: string;
  readonly contender: string;
  readonly value: number;
}

/** Receives the measurements of a bench, in addition to its output. */
export type CollectFigure = (figure: Figure) => void;

export const ignoreFigure: CollectFigure = () => undefined;
