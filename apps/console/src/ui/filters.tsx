import { Fragment, type FormEvent, type ReactNode } from 'react';
import { pickTexts, type Texts } from '../search-text.ts';
import { Button } from './button.tsx';
import styles from './filters.module.css';

interface Props {
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  /** Labels with their fields, and the button. */
  readonly children: ReactNode;
}

/** Filters of a list, which apply when the form is submitted. */
export function Filters({ onSubmit, children }: Props) {
  return (
    <form className={styles['filters']} onSubmit={onSubmit} aria-label="Filters">
      {children}
    </form>
  );
}

interface FilterFormProps<Key extends string> {
  /** Names of the address parameters of the list. */
  readonly keys: readonly Key[];
  readonly params: Texts<Key>;
  readonly onFilter: (params: Texts<Key>) => void;
  /** Label of the button. */
  readonly action?: string;
  /** Labels with fields, or complete field components. The names of the fields are among `keys`. */
  readonly children: ReactNode;
}

/** Filters of a list. The filters are stored in the address of the list. */
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
