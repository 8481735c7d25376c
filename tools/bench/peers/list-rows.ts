import type { Figure } from '../collect-figures.ts';

/** Lists one row for each peer of each figure of the service; a figure without a peer has a row of its own. */
export function listRows(area: string, figures: readonly Figure[]): (readonly (string | number)[])[] {
  const isOwn = ({ contender }: Figure): boolean => contender.startsWith('steward');
  return figures.filter(isOwn).flatMap((own) => {
    const detail = own.contender.replace(/^steward(?:, )?/, '');
    const what = detail === '' ? own.measure : `${own.measure} (${detail})`;
    const peers = figures.filter((figure) => figure.measure === own.measure && !isOwn(figure));
    if (peers.length === 0) return [[area, what, own.value, '', Number.NaN, Number.NaN]];
    return peers.map(({ contender, value }) => [area, what, own.value, contender, value, divide(own.value, value)]);
  });
}

/**
 * Returns the ratio of two figures. A difference between two ways may be zero or negative; in that case there is no
 * ratio.
 */
function divide(own: number, peer: number): number {
  return own > 0 && peer > 0 ? own / peer : Number.NaN;
}
