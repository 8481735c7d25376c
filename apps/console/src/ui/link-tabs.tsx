import { Link } from '@tanstack/react-router';
import type { ListParams } from './next-page.tsx';
import styles from './link-tabs.module.css';

interface Tab {
  readonly name: string;
  /** Address parameters that select the tab. */
  readonly params: ListParams;
  readonly isCurrent: boolean;
}

interface Props {
  /** Name of the tabs for screen readers. */
  readonly label: string;
  readonly tabs: readonly Tab[];
}

/** Views of one screen, each with a separate address. */
export function LinkTabs({ label, tabs }: Props) {
  return (
    <nav aria-label={label} className={styles['tabs']}>
      {tabs.map(({ name, params, isCurrent }) => (
        <Link key={name} to="." search={() => params} aria-current={isCurrent ? 'true' : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  );
}
