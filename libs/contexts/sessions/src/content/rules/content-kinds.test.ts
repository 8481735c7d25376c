import type { InteractionEntry } from './kinds/interaction.ts';
import { findContentKind, type SessionContentEntry } from './content-kinds.ts';
import { renderSessionSummary } from './chunk-source.ts';

const interaction: InteractionEntry = {
  kind: 'gateway_interaction',
  modelAlias: 'fast-model',
  providerName: 'acme',
  request: { messages: [{ role: 'user', content: 'prompt words' }] },
  response: { choices: [{ message: { role: 'assistant', content: 'answer words' } }] },
  status: 'ok',
  inputTokens: 12,
  outputTokens: 0,
};

describe('the searchable part of a content item', () => {
  it.each<[string, SessionContentEntry, string]>([
    [
      'an interaction by prompt, answer, model and provider',
      interaction,
      'prompt words\nanswer words\nfast-model acme ok',
    ],
    [
      'a tool call by name, arguments, result and status',
      {
        kind: 'tool_call',
        toolName: 'bash',
        arguments: { command: 'make test' },
        result: 'all green',
        status: 'error',
      },
      'bash\ncommand: make test\nall green\nerror',
    ],
    ['a tool call without a result', { kind: 'tool_call', toolName: 'bash', arguments: {} }, 'bash'],
    [
      'a message by its words',
      { kind: 'transcript_message', role: 'user', content: [{ type: 'text', text: 'hi' }] },
      'hi',
    ],
    ['a note by its text', { kind: 'operator_note', text: 'stop' }, 'stop'],
    ['a log line by its text', { kind: 'flow_log', text: 'cloning', step: 'clone', level: 'info' }, 'cloning'],
  ])('finds %s', (_case, entry, text) => {
    expect(findContentKind(entry.kind).toSearchText(entry, { captureContent: true })).toEqual({
      text,
      redactionState: 'clear',
    });
  });

  it('contains only model, provider, status and token counts of an interaction while capture is off', () => {
    expect(findContentKind(interaction.kind).toSearchText(interaction, { captureContent: false })).toEqual({
      text: 'model fast-model, provider acme, status ok, 12 input tokens, 0 output tokens',
      redactionState: 'metadata_only',
    });
  });

  it('still includes content that clients import themselves while capture is off', () => {
    const message: SessionContentEntry = { kind: 'transcript_message', role: 'user', content: 'kept' };
    expect(findContentKind(message.kind).toSearchText(message, { captureContent: false })).toEqual({
      text: 'kept',
      redactionState: 'clear',
    });
  });

  it('is the title and summary of a session, and empty without both', () => {
    expect(renderSessionSummary({ title: 'Title', summary: 'What happened' })).toBe('Title\nWhat happened');
    expect(renderSessionSummary({ title: null, summary: 'What happened' })).toBe('What happened');
    expect(renderSessionSummary({ title: null, summary: null })).toBe('');
  });
});
