import { useEffect, useEffectEvent, useImperativeHandle, useRef, type Ref } from 'react';
import type { PolicyCheck } from '../use-policy-check.ts';
import type { PolicyOffers } from './complete.ts';
import { createEditor, type Editor } from './create-editor.ts';

export type PolicyTextHandle = Pick<Editor, 'goTo'>;

interface Props {
  readonly ref: Ref<PolicyTextHandle>;
  readonly text: string;
  readonly check: PolicyCheck;
  /** Undefined while it is loading. */
  readonly offers: PolicyOffers | undefined;
  readonly onText: (text: string) => void;
}

/** The text of a policy, with completion, and its problems underlined. */
export function PolicyText({ ref, text, check: { errors, warnings, isOld }, offers, onText }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor>(undefined);
  const change = useEffectEvent(onText);
  const readText = useEffectEvent(() => text);
  useEffect(() => {
    if (place.current === null) return undefined;
    const root = place.current.shadowRoot ?? place.current.attachShadow({ mode: 'open' });
    const made = createEditor(root, { label: 'Policy', text: readText(), onText: (next) => change(next) });
    editor.current = made;
    return () => {
      editor.current = undefined;
      made.destroy();
    };
  }, []);
  useEffect(() => {
    editor.current?.setText(text);
  }, [text]);
  useEffect(() => {
    // While the check’s result belongs to an older text, the underlines stay: the editor moves them with the text.
    if (!isOld) editor.current?.showProblems(errors, warnings);
  }, [errors, warnings, isOld]);
  useEffect(() => {
    editor.current?.offer(offers);
  }, [offers]);
  useImperativeHandle(ref, () => ({ goTo: (position) => editor.current?.goTo(position) }), []);
  return <div ref={place} />;
}
