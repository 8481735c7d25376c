import { toApiError } from '../api/api-error.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';
import styles from './states.module.css';

interface Props {
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
}

/**
 * The message of the error (for 404, a fixed text), the missing permission and the id of the request, if known, and a
 * button to try again, if this may help.
 */
export function ErrorState({ error, onRetry }: Props) {
  const { status, code, message, requestId, detail } = toApiError(error);
  const permission = detail['permission'];
  return (
    <div className={styles['state']}>
      <Notice tone="bad" isNews>
        {status === 404 ? 'This object does not exist, or is not in your account.' : message}
        {status === 403 && typeof permission === 'string' && <> Missing permission: {permission}.</>}
      </Notice>
      {requestId !== undefined && (
        <p className={styles['fine']}>
          {code}, request <code>{requestId}</code>
        </p>
      )}
      {onRetry !== undefined && status !== 403 && status !== 404 && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}
