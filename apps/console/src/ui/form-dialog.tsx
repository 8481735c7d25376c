import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorState } from './error-state.tsx';
import styles from './stack.module.css';
import { useForm } from './use-form.ts';

interface Props<Answer> {
  readonly title: string;
  /** What the button does, in its words. */
  readonly action: string;
  readonly onClose: () => void;
  readonly onSend: (values: Readonly<Record<string, string>>) => Promise<Answer>;
  /** What may have changed with it, and is read anew. */
  readonly touches?: () => QueryKey;
  readonly onSent?: (answer: Answer) => void;
  /** The fields; each asks by its name in the request what the service said about it. */
  readonly children: (errorOf: (field: string) => string | undefined) => ReactNode;
}

/**
 * A form of its own over the page, which closes when it is sent. What the service says about a field stands there, everything else
 * above the button.
 */
export function FormDialog<Answer>({ title, action, onClose, onSend, touches, onSent, children }: Props<Answer>) {
  const client = useQueryClient();
  const { error, isBusy, onSubmit } = useForm(async (values) => {
    const answer = await onSend(values);
    if (touches !== undefined) void client.invalidateQueries({ queryKey: touches() });
    onClose();
    onSent?.(answer);
  });
  const asked = new Set<string>();
  const fields = children((field) => {
    asked.add(field);
    return error?.field === field ? error.message : undefined;
  });
  return (
    <Dialog title={title} onClose={onClose}>
      <form className={styles['stack']} onSubmit={onSubmit}>
        {fields}
        {error !== undefined && !asked.has(error.field ?? '') && <ErrorState error={error} />}
        <Button type="submit" look="primary" aria-busy={isBusy}>
          {action}
        </Button>
      </form>
    </Dialog>
  );
}
