import { redactContent, redactEveryContent } from './redact-content.ts';

const payload = {
  workspace_files: [{ path: 'a', content_base64: 'QUJD' }, 'rubbish', { path: 'b', content_base64: 7 }],
  document: { content_base64: 'QUJDREVG' },
};

describe('redacting contents', () => {
  it('for the stored payload takes the bytes of workspace files alone: templates may name everything else', () => {
    expect(redactContent(payload)).toEqual({
      workspace_files: [
        { path: 'a', content_base64: '[redacted: 4 base64 characters]' },
        'rubbish',
        { path: 'b', content_base64: '[redacted]' },
      ],
      document: { content_base64: 'QUJDREVG' },
    });
  });

  it('for an embed of the whole event takes every content, at any depth (FLOW-44)', () => {
    expect(JSON.stringify(redactEveryContent([payload]))).not.toContain('QUJD');
  });

  it.each([redactContent, redactEveryContent])(
    'keeps the length of content that was redacted before (%#)',
    (redact) => {
      expect(redact(redactContent(payload))).toEqual(redact(payload));
    },
  );

  it.each([[null], ['text'], [[1]], [{ workspace_files: 'none' }]])('leaves %j as it is', (value) => {
    expect(redactContent(value)).toEqual(value);
  });
});
