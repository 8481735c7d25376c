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

/** Asks before a change is made. It closes when that is done, and says what failed otherwise. */
export function ConfirmChange({ change, onClose, ...question }: Props) {
  function close(): void {
    // Asked again, it knows nothing of the refusal; what succeeded is still read by who asked.
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
