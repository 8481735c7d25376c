import { Link } from '@tanstack/react-router';
import { Page } from '../ui/page.tsx';

export function NotThere() {
  return (
    <Page title="There is no such page">
      <p>
        The address names no screen. <Link to="/search">Search sessions</Link>
      </p>
    </Page>
  );
}
