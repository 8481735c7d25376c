import { Link } from '@tanstack/react-router';
import styles from './search.module.css';

const EXAMPLES = [
  { q: '"exit code 1"', what: 'an exact phrase' },
  { q: 'timeout -retry', what: 'a word, in texts that do not contain another word' },
  { q: 'deploy*', what: 'any word with this prefix' },
] as const;

/** Example searches, shown before the first search and after a search without results. */
export function FirstSearches() {
  return (
    <div className={styles['first']}>
      <p>Search what agents said, called and logged. Only exact word forms match; letter case is ignored.</p>
      <ul>
        {EXAMPLES.map(({ q, what }) => (
          <li key={q}>
            <Link to="/search" search={{ q }}>
              <code>{q}</code>
            </Link>{' '}
            {what}
          </li>
        ))}
      </ul>
      <p>
        Nothing stored yet? <Link to="/welcome">Try the search with demo data</Link>
      </p>
    </div>
  );
}
