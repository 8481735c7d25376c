import { NOTHING, type ReadRecord } from '../format-reader.ts';
import { toChatItems } from '../rules/chat-entries.ts';
import { readChatMessage, type ChatMessage } from '../rules/chat-message.ts';
import { cleanContent } from '../rules/clean-content.ts';
import { boundedId, hashContent, placedId } from '../rules/entry-id.ts';
import { toFields, toList, toText, toTime, type Fields } from '../rules/json-access.ts';
import type { OpenCalls } from '../rules/open-calls.ts';
import type { Revisions } from '../rules/revisions.ts';
import { createTypedAhead, findRole } from '../rules/typed-ahead.ts';
import type { SessionItem } from '../session-item.ts';
import type { SessionNotes } from '../session-notes.ts';

/** Matches the types of data that the program adds by itself, such as files, reminders and results of hooks. */
const LEFT_OUT_ATTACHMENTS =
  /^(file|directory|already_read_file|compact_file_reference|pdf_reference|edited_text_file|edited_image_file|opened_file_in_ide|selected_lines_in_ide|nested_memory|relevant_memories|current_session_memory|skill_listing|dynamic_skill|skill_discovery|invoked_skills|todo|todo_reminder|task_reminder|task_status|plan_mode|plan_mode_exit|plan_mode_reentry|plan_file_reference|auto_mode|auto_mode_exit|hook_[a-z_]+|async_hook_response|diagnostics|mcp_resource|[a-z_]+_delta|date_change|command_permissions|critical_system_reminder|ultrathink_effort|output_style|companion_intro|agent_mention|token_usage|total_tokens_update|output_token_usage|budget_usd|compaction_reminder|context_efficiency|verify_plan_reminder|max_turns_reached|structured_output|teammate_[a-z_]+|team_context|bagel_console|ultramemory|memory|collab_notification)$/;

/** State gathered from the file so far. */
export interface ClaudeCodeFile {
  readonly calls: OpenCalls<SessionNotes>;
  readonly revisions: Revisions;
  sessionId(): string;
  noteSession(line: Fields): SessionNotes;
}

interface MessageName {
  readonly externalId: string;
  readonly formerId?: string;
  readonly revision: number;
}

export interface PromptReader {
  /**
   * Returns the id and revision of a message's entry: the existing id for a prompt that was typed while the agent
   * worked, otherwise the id of the message.
   */
  nameMessage(line: Fields, message: Fields, read: ChatMessage, place: number): MessageName;
  readTyped(line: Fields): ReadRecord;
  readAttachment(line: Fields, attachment: Fields, place: number): ReadRecord;
  end(): readonly SessionItem[];
}

/**
 * Marks text that Claude Code added, compactions, and messages of subagents: such text may have the user's role,
 * although no user wrote it.
 */
export function markProgram(line: Fields): { readonly byProgram?: true } {
  const isMarked = ['isMeta', 'isCompactSummary', 'isSidechain', 'isVisibleInTranscriptOnly'].some(
    (name) => line[name] === true,
  );
  const isOfSubagent = [line['agentId'], line['parent_tool_use_id']].some((id) => toText(id) !== undefined);
  return isMarked || isOfSubagent ? { byProgram: true } : {};
}

/** Reads the prompts that were queued while the agent worked. */
export function createPromptReader(file: ClaudeCodeFile): PromptReader {
  const typed = createTypedAhead();
  /** Last prompt that the agent received while it worked: a user line with the same text is the same prompt. */
  let given: { readonly text: string; readonly externalId: string } | undefined;

  /** Returns the id of the queued prompt with this text. */
  function findQueued(content: unknown): string | undefined {
    const text = joinText(content);
    if (given !== undefined && given.text === text.trim()) return given.externalId;
    return typed.take(file.sessionId(), text)?.externalId;
  }

  /** Reads a prompt that was queued while the agent worked. */
  function readTyped(line: Fields): ReadRecord {
    const { operation, content } = line;
    const text = joinText(content);
    // Only enqueue operations are read: another line shows what became of a dequeued prompt.
    if (operation !== 'enqueue' || text.trim() === '') return NOTHING;
    const occurredAt = toTime(line['timestamp']);
    const externalId = boundedId(`queued:${occurredAt?.toISOString() ?? ''}:${hashContent(text)}`);
    const cleaned = String(cleanContent(text));
    return {
      items: typed.add({
        notes: file.noteSession(line),
        sessionId: file.sessionId(),
        text: cleaned,
        externalId,
        occurredAt,
      }),
    };
  }

  /** Reads an attachment, which is an entry only if it is a prompt that the agent received while it worked. */
  function readAttachment(line: Fields, attachment: Fields, place: number): ReadRecord {
    const type = toText(attachment['type']) ?? 'no type';
    if (type !== 'queued_command') {
      return LEFT_OUT_ATTACHMENTS.test(type) ? NOTHING : { items: [], unknown: `attachment ${type}` };
    }
    const text = joinText(attachment['prompt']);
    const waited = typed.take(file.sessionId(), text);
    const externalId = waited?.externalId ?? boundedId(toText(line['uuid']) ?? placedId(place, attachment));
    given = { text: text.trim(), externalId };
    const role = attachment['commandMode'] === 'task-notification' ? 'system' : findRole(text);
    const message = readChatMessage({ role, content: attachment['prompt'] });
    const revision = file.revisions.next(file.sessionId(), externalId) + (waited === undefined ? 0 : 1);
    const occurredAt = waited?.occurredAt ?? toTime(line['timestamp']);
    const facts = { notes: file.noteSession(line), externalId, occurredAt, revision, ...markProgram(line) };
    return { items: toChatItems(message, facts, file.calls) };
  }

  return {
    nameMessage(line, message, read, place) {
      const ownId = boundedId(toText(line['uuid']) ?? placedId(place, message));
      const isUser = line['type'] === 'user';
      if (!isUser) given = undefined;
      const queued = isUser && read.results.length === 0 ? findQueued(message['content']) : undefined;
      if (queued === undefined) return { externalId: ownId, revision: file.revisions.next(file.sessionId(), ownId) };
      // The queued prompt may already be stored without its attachments, so this version gets a higher revision.
      return { externalId: queued, formerId: ownId, revision: file.revisions.next(file.sessionId(), queued) + 1 };
    },
    readTyped,
    readAttachment,
    end: () => typed.end(),
  };
}

/** Returns the text of a prompt, which is a string or a list of blocks. */
function joinText(content: unknown): string {
  if (typeof content === 'string') return content;
  return toList(content)
    .map((block) => toText(toFields(block)['text']) ?? '')
    .filter((text) => text !== '')
    .join('\n');
}
