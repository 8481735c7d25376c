import { Fragment, type FormEvent, type ReactNode } from 'react';
import { pickTexts, type Texts } from '../search-text.ts';
import { Button } from './button.tsx';
import styles from './filters.module.css';

interface Props {
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  /** Labels with their fields, and the button. */
  readonly children: ReactNode;
}

/** What narrows a list; it counts when it is sent. */
export function Filters({ onSubmit, children }: Props) {
  return (
    <form className={styles['filters']} onSubmit={onSubmit} aria-label="Filters">
      {children}
    </form>
  );
}

interface FilterFormProps<Key extends string> {
  /** What an address may say about the list. */
  readonly keys: readonly Key[];
  readonly params: Texts<Key>;
  readonly onFilter: (params: Texts<Key>) => void;
  /** What the button does, in its words. */
  readonly action?: string;
  /** Labels with fields, or whole fields, that are called by the keys. */
  readonly children: ReactNode;
}

/** What narrows a list that its address describes. */
export function FilterForm<Key extends string>({
  keys,
  params,
  onFilter,
  action = 'Filter',
  children,
}: FilterFormProps<Key>) {
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    onFilter(pickTexts(Object.fromEntries(new FormData(event.currentTarget)), keys));
  }
  return (
    <Filters onSubmit={submit}>
      <Fragment key={JSON.stringify(params)}>{children}</Fragment>
      <Button type="submit">{action}</Button>
    </Filters>
  );
}
