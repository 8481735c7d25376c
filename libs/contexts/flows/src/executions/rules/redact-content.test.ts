import { redactContent, redactEveryContent } from './redact-content.ts';

const payload = {
  workspace_files: [{ path: 'a', content_base64: 'QUJD' }, 'rubbish', { path: 'b', content_base64: 7 }],
  document: { content_base64: 'QUJDREVG' },
};

describe('redacting contents', () => {
  it('removes only the bytes of workspace files from the stored payload: templates can use everything else', () => {
    expect(redactContent(payload)).toEqual({
      workspace_files: [
        { path: 'a', content_base64: '[redacted: 4 base64 characters]' },
        'rubbish',
        { path: 'b', content_base64: '[redacted]' },
      ],
      document: { content_base64: 'QUJDREVG' },
    });
  });

  it('removes all file contents from an embedded event, at any depth (FLOW-44)', () => {
    expect(JSON.stringify(redactEveryContent([payload]))).not.toContain('QUJD');
  });

  it.each([redactContent, redactEveryContent])(
    'keeps the recorded length of content that was already redacted (%#)',
    (redact) => {
      expect(redact(redactContent(payload))).toEqual(redact(payload));
    },
  );

  it.each([[null], ['text'], [[1]], [{ workspace_files: 'none' }]])('leaves %j unchanged', (value) => {
    expect(redactContent(value)).toEqual(value);
  });
});
