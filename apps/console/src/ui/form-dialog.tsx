import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorState } from './error-state.tsx';
import styles from './stack.module.css';
import { useForm } from './use-form.ts';

interface Props<Answer> {
  readonly title: string;
  /** Label of the button. */
  readonly action: string;
  readonly onClose: () => void;
  readonly onSend: (values: Readonly<Record<string, string>>) => Promise<Answer>;
  /** Returns the prefix of the keys of the queries that are refreshed after a successful submission. */
  readonly touches?: () => QueryKey;
  readonly onSent?: (answer: Answer) => void;
  /** Renders the fields; `errorOf` returns the service's error about a field of the request. */
  readonly children: (errorOf: (field: string) => string | undefined) => ReactNode;
}

/**
 * A form in a dialog over the page; the dialog closes when the form was submitted successfully. Field errors of the
 * service are shown at the fields, all others above the button.
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
