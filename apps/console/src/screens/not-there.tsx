import { Link } from '@tanstack/react-router';
import styles from '../ui/states.module.css';
import { Page } from '../ui/page.tsx';

export function NotThere() {
  return (
    <main className={styles['alone']}>
      <Page title="Page not found">
        <p>
          There is no page at this address. <Link to="/search">Search sessions</Link>
        </p>
      </Page>
    </main>
  );
}
