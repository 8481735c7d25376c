import { useId, type FormEvent } from 'react';
import type { SearchParams } from '../../queries/search.ts';
import { Button } from '../../ui/button.tsx';
import { ChoiceFilter } from '../../ui/choice-filter.tsx';
import fieldStyles from '../../ui/field.module.css';
import filterStyles from '../../ui/filters.module.css';
import { CONTENT_KINDS } from './content-kinds.ts';
import { toDay, toMoment } from './days.ts';
import styles from './search.module.css';

const KINDS = { ...CONTENT_KINDS, session_summary: 'Titles and summaries' } as const;

const TEXTS = {
  role: 'Role',
  tool: 'Tool',
  model: 'Model',
  agent: 'Agent id',
  flow: 'Flow id',
  label: 'Label',
  session: 'Session id',
} as const;

interface Props {
  readonly params: SearchParams;
  /** The service's error about the query. */
  readonly error: string | undefined;
  readonly isBusy: boolean;
  readonly onSubmit: (params: SearchParams) => void;
}

/** Form of a search. The form does not search while the user types, because every search is recorded. */
export function SearchForm({ params, error, isBusy, onSubmit }: Props) {
  const id = useId();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onSubmit(readForm(new FormData(event.currentTarget)));
  };
  const isNarrowed = Object.keys(params).some((key) => key !== 'q' && key !== 'cursor');
  return (
    <search>
      <form className={styles['form']} onSubmit={submit}>
        <div className={styles['query']}>
          <input
            type="search"
            name="q"
            className={fieldStyles['large']}
            aria-label="Search session content"
            aria-invalid={error === undefined ? undefined : true}
            aria-describedby={error === undefined ? undefined : `${id}-error`}
            placeholder={'"exit code 1" -skipped'}
            defaultValue={params.q}
            maxLength={512}
            required
          />
          <Button type="submit" look="primary" aria-busy={isBusy}>
            Search
          </Button>
        </div>
        {error !== undefined && (
          <p id={`${id}-error`} className={styles['error']} role="alert">
            {error}
          </p>
        )}
        <details open={isNarrowed}>
          <summary>Filters</summary>
          <div className={`${filterStyles['labels']} ${styles['filters']}`}>
            <label>
              From
              <input type="date" name="from" defaultValue={toDay(params.from)} />
            </label>
            <label>
              Before
              <input type="date" name="to" defaultValue={toDay(params.to)} />
            </label>
            <ChoiceFilter label="Kind" name="kind" chosen={params.kind} options={KINDS} />
            {Object.entries(TEXTS).map(([name, label]) => (
              <label key={name}>
                {label}
                <input name={name} defaultValue={params[name as keyof typeof TEXTS]} />
              </label>
            ))}
          </div>
        </details>
      </form>
    </search>
  );
}

function readForm(form: FormData): SearchParams {
  const values: Record<string, string> = {};
  for (const [name, value] of form) {
    const text = typeof value === 'string' ? value.trim() : '';
    if (text !== '') values[name] = name === 'from' || name === 'to' ? toMoment(text) : text;
  }
  return values;
}
