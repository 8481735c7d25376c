import { Link } from '@tanstack/react-router';
import styles from '../ui/states.module.css';
import { Page } from '../ui/page.tsx';

export function NotThere() {
  return (
    <main className={styles['alone']}>
      <Page title="There is no such page">
        <p>
          The address names no screen. <Link to="/search">Search sessions</Link>
        </p>
      </Page>
    </main>
  );
}
