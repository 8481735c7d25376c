import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useShortcuts } from '../../keyboard/use-shortcuts.ts';
import { readAnswer } from '../../queries/search.ts';
import { Button } from '../../ui/button.tsx';
import { findNeighbour, listHits } from './hits.ts';

interface Props {
  readonly sessionId: string;
  readonly at: string | undefined;
  readonly q: string;
}

/**
 * Steps through the hits of a search, across its sessions, without searching again; shows nothing unless a result with
 * at least two hits is cached.
 */
export function HitSteps({ sessionId, at, q }: Props) {
  const navigate = useNavigate();
  const answer = readAnswer(q);
  const hits = useMemo(() => (answer === undefined ? [] : listHits(answer)), [answer]);
  const keys = useMemo(() => {
    const step = (by: 1 | -1): void => {
      const hit = findNeighbour(hits, { sessionId, ...(at !== undefined && { at }) }, by);
      if (hit === undefined) return;
      void navigate({
        to: '/sessions/$sessionId',
        params: { sessionId: hit.sessionId },
        search: { at: hit.at, q },
        resetScroll: false,
      });
    };
    return { j: () => step(1), k: () => step(-1) };
  }, [hits, sessionId, at, q, navigate]);
  useShortcuts(keys);
  if (hits.length < 2) return null;
  return (
    <>
      <Button onClick={keys.k}>Previous hit</Button>
      <Button onClick={keys.j}>Next hit</Button>
    </>
  );
}
