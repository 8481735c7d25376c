import type { ComponentProps } from 'react';
import { Confirm } from './confirm.tsx';

interface Props extends Omit<ComponentProps<typeof Confirm>, 'isBusy' | 'error' | 'onConfirm'> {
  readonly change: {
    readonly isPending: boolean;
    readonly error: unknown;
    readonly mutate: (given: undefined, options: { readonly onSuccess: () => void }) => void;
    readonly reset: () => void;
  };
}

/** Asks for a confirmation before a change. The dialog closes on success, and otherwise shows the error. */
export function ConfirmChange({ change, onClose, ...question }: Props) {
  function close(): void {
    // After an error, the change is reset, so that a reopened dialog does not show the error. A successful result is
    // not reset, because the caller still needs it.
    if (change.error !== null) change.reset();
    onClose();
  }
  return (
    <Confirm
      {...question}
      isBusy={change.isPending}
      error={change.error}
      onClose={close}
      onConfirm={() => change.mutate(undefined, { onSuccess: onClose })}
    />
  );
}
