import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorState } from './error-state.tsx';
import styles from './stack.module.css';
import { useForm } from './use-form.ts';

interface Props {
  readonly title: string;
  /** What the button does, in its words. */
  readonly action: string;
  readonly onClose: () => void;
  readonly onSend: (values: Readonly<Record<string, string>>) => Promise<void>;
  /** The fields; each asks by its name in the request what the service said about it. */
  readonly children: (errorOf: (field: string) => string | undefined) => ReactNode;
}

/** A form of its own over the page. What the service says about a field stands there, everything else above the button. */
export function FormDialog({ title, action, onClose, onSend, children }: Props) {
  const { error, isBusy, onSubmit } = useForm(onSend);
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
