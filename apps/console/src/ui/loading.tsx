import styles from './states.module.css';

export function Loading({ what }: { readonly what: string }) {
  return (
    <p className={styles['loading']} role="status">
      Loading {what}…
    </p>
  );
}
