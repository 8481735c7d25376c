import { Link } from '@tanstack/react-router';
import styles from './search.module.css';

const EXAMPLES = [
  { q: '"exit code 1"', what: 'a phrase, word by word' },
  { q: 'timeout -retry', what: 'a word, without sessions that also say another' },
  { q: 'deploy*', what: 'every word that begins so' },
] as const;

/** What can be asked, for who has not asked yet. */
export function FirstSearches() {
  return (
    <div className={styles['first']}>
      <p>Search what agents said, called and logged. Words match as they are written; letter case does not count.</p>
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
        Nothing stored yet? <Link to="/welcome">Try it with demo data</Link>
      </p>
    </div>
  );
}
