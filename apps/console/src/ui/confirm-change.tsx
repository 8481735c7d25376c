import type { ComponentProps } from 'react';
import { Confirm } from './confirm.tsx';

interface Props extends Omit<ComponentProps<typeof Confirm>, 'isBusy' | 'error' | 'onConfirm'> {
  readonly change: {
    readonly isPending: boolean;
    readonly error: unknown;
    readonly mutate: (given: undefined, options: { readonly onSuccess: () => void }) => void;
  };
}

/** Asks before a change is made. It closes when that is done, and says what failed otherwise. */
export function ConfirmChange({ change, ...question }: Props) {
  return (
    <Confirm
      {...question}
      isBusy={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate(undefined, { onSuccess: question.onClose })}
    />
  );
}
