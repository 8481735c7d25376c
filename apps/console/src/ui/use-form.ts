import { useState, type FormEvent } from 'react';
import { toApiError, type ApiError } from '../api/api-error.ts';

/**
 * Handles a form that cannot be sent again while a request is pending, and that retains its input; `error` is the error
 * of the last attempt.
 */
export function useForm(send: (values: Readonly<Record<string, string>>) => Promise<void>) {
  const [error, setError] = useState<ApiError>();
  const [isBusy, setBusy] = useState(false);
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (isBusy) return;
    const values = Object.fromEntries(
      [...new FormData(event.currentTarget)].filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
    );
    setBusy(true);
    setError(undefined);
    send(values)
      .catch((thrown: unknown) => setError(toApiError(thrown)))
      .finally(() => setBusy(false));
  };
  return { error, isBusy, onSubmit };
}
