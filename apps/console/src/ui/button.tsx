import type { ButtonHTMLAttributes } from 'react';
import styles from './button.module.css';

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: 'plain' | 'primary' | 'danger' | 'quiet';
  /**
   * Reason why the button is disabled now. The reason is shown and read out; the button stays in the tab order, so that
   * keyboard users can reach the reason.
   */
  readonly disabledReason?: string | undefined;
}

/** While the button is busy (`aria-busy`), clicking it has no effect. */
export function Button({ look = 'plain', disabledReason, onClick, children, type = 'button', ...rest }: Props) {
  const isOff = disabledReason !== undefined;
  const isBusy = rest['aria-busy'] === true;
  return (
    <button
      {...rest}
      type={type}
      className={`${styles['button']} ${styles[look] ?? ''}`}
      aria-disabled={isOff || undefined}
      title={disabledReason}
      onClick={(event) => {
        if (isOff || isBusy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {children}
      {isOff && <span className={styles['reason']}> ({disabledReason})</span>}
    </button>
  );
}
