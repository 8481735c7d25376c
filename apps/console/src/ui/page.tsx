import { useEffect, type ReactNode } from 'react';
import styles from './page.module.css';

interface Props {
  readonly title: string;
  /** Content next to the heading. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A screen: one heading, which is also the title of the browser's tab. */
export function Page({ title, actions, children }: Props) {
  // The document title is not part of React's tree.
  useEffect(() => {
    document.title = `${title} · Steward`;
  }, [title]);
  return (
    <>
      <header className={styles['head']}>
        <h1>{title}</h1>
        {actions !== undefined && <div className={styles['actions']}>{actions}</div>}
      </header>
      {children}
    </>
  );
}
