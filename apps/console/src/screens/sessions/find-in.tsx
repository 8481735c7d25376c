import { useNavigate } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { CONTENT_KINDS } from '../search/content-kinds.ts';
import { Button } from '../../ui/button.tsx';
import { Filters } from '../../ui/filters.tsx';
import { Options } from '../../ui/options.tsx';

interface Props {
  readonly sessionId: string;
  /** If set, only entries of this kind are shown. */
  readonly kind: string | undefined;
}

/** Finds parts of a long session: by words, or by kind of entry. The words are sent as a search, which is recorded. */
export function FindIn({ sessionId, kind }: Props) {
  const navigate = useNavigate();

  function find(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const words = new FormData(event.currentTarget).get('q');
    if (typeof words !== 'string' || words.trim() === '') return;
    void navigate({ to: '/search', search: { q: words.trim(), session: sessionId } });
  }

  return (
    <Filters onSubmit={find}>
      <label>
        Find in this session
        <input name="q" type="search" maxLength={512} />
      </label>
      <Button type="submit">Find</Button>
      <label>
        Show
        <select
          value={kind ?? ''}
          onChange={({ currentTarget: { value } }) =>
            void navigate({
              to: '/sessions/$sessionId',
              params: { sessionId },
              search: { kind: value === '' ? undefined : value },
              resetScroll: false,
            })
          }
        >
          <option value="">All content</option>
          <Options of={CONTENT_KINDS} />
        </select>
      </label>
    </Filters>
  );
}
