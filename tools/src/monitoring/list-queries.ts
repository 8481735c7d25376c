import type { Board, Query } from './board.ts';

export interface PlacedQuery extends Query {
  /** Location of the query for messages: board, panel, legend. */
  readonly place: string;
}

/** Returns every query of the boards. */
export function listQueries(boards: readonly Board[]): PlacedQuery[] {
  return boards.flatMap((board) =>
    board.rows.flatMap(({ panels }) =>
      panels.flatMap((panel) =>
        panel.queries.map((one) => ({ ...one, place: `${board.title} / ${panel.title} / ${one.legend}` })),
      ),
    ),
  );
}
