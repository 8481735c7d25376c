/**
 * Text that programs put into the turns of a user, in the formats used by Claude Code, Codex, Gemini CLI, Qwen Code,
 * OpenCode, Cursor, Cline, Copilot and similar agents.
 */

/**
 * Names of the blocks in angle brackets that programs write. Blocks whose names contain `_` or `-` are recognized
 * anywhere in a message, the others only before the words of a person.
 */
export const PROGRAM_BLOCKS: ReadonlySet<string> = new Set([
  // Claude Code and derivatives
  ...['system-reminder', 'system_reminder', 'local-command-caveat', 'local-command-stdout', 'local-command-stderr'],
  ...[
    'command-name',
    'command-message',
    'command-args',
    'command-contents',
    'bash-input',
    'bash-stdout',
    'bash-stderr',
  ],
  ...['user-memory-input', 'user-prompt-submit-hook', 'session-start-hook', 'post-tool-use-hook', 'task-notification'],
  ...[
    'ide_opened_file',
    'ide_selection',
    'ide_diagnostics',
    'new-diagnostics',
    'available-deferred-tools',
    'fork-boilerplate',
  ],
  ...[
    'teammate-message',
    'background-task-notification',
    'tool_use_error',
    'persisted-output',
    'policy_spec',
    'total_tokens',
  ],
  // Codex
  ...[
    'environment_context',
    'user_instructions',
    'user_shell_command',
    'turn_aborted',
    'permissions instructions',
    'skill',
  ],
  ...[
    'collaboration_mode',
    'apps_instructions',
    'skills_instructions',
    'plugins_instructions',
    'subagent_notification',
  ],
  ...[
    'model_switch',
    'personality_spec',
    'recommended_plugins',
    'codex_internal_context',
    'goal_context',
    'hook_prompt',
  ],
  ...['realtime_conversation', 'INSTRUCTIONS'],
  // Gemini CLI, Qwen Code
  ...['session_context', 'hook_context', 'state_snapshot', 'loaded_context', 'extension_context', 'project_context'],
  // Cline, Roo, Cursor, Copilot, Goose
  ...['environment_details', 'environment_info', 'workspace_info', 'editorContext', 'reminderInstructions', 'reminder'],
  ...[
    'attached_files',
    'additional_data',
    'user_info',
    'project_layout',
    'git_status',
    'cursor_rules',
    'rules',
    'info-msg',
  ],
  ...['open_and_recently_viewed_files', 'agent_transcripts', 'agent_skills', 'system_notification', 'attachments'],
  ...['manually_attached_skills', 'always_applied_workspace_rules', 'repoContext', 'toolReferences', 'context', 'env'],
]);

/** Names of blocks around the words of a person. */
export const PERSON_BLOCKS: ReadonlySet<string> = new Set([
  ...['task', 'user_query', 'userRequest', 'user_message', 'user_request', 'user-request', 'feedback', 'prompt'],
]);

/** Patterns for the beginnings of messages that a program wrote entirely. */
export const PROGRAM_MESSAGES: readonly RegExp[] = [
  // Claude Code: caveats, compactions, and small requests of the program itself
  /^Caveat: The messages below were generated/,
  /^This session is being continued from a previous conversation/,
  /^Your task is to create a (?:detailed|comprehensive|thorough) summary/,
  /^\[Request interrupted by user/,
  /^(?:Stop|PreToolUse|PostToolUse|UserPromptSubmit|SubagentStop|SessionStart) hook (?:feedback|blocking|additional)/i,
  /^Base directory for this skill:/,
  /^\[(?:SUGGESTION|PROMPT SUGGESTION|TITLE) MODE/,
  /^Command: [\s\S]{0,20000}\nOutput: /,
  /^Web page content:\s/,
  /^Perform a web search for the query:/,
  /^(?:quota|Warmup)$/,
  // Requests by programs for titles and summaries
  /^(?:Please )?(?:write|generate|create|provide|suggest|give|come up with)\b[^.\n]{0,80}\btitle\b[^.\n]{0,40}\b(?:this|following) (?:conversation|session|chat|thread|message)/i,
  /^Provide a concise, 5-word-or-less title for the conversation/,
  /^### Task:\s*\n(?:Generate|Suggest|Analyze) /,
  // Codex
  /^# AGENTS\.md instructions(?: for|\s|$)/,
  /^Another language model started to solve this problem/,
  /^You are performing a CONTEXT CHECKPOINT COMPACTION/,
  /^The following is the Codex agent history/,
  /^Warning: The maximum number of unified exec processes/,
  // Gemini CLI, Qwen Code
  /^This is (?:the )?(?:Gemini CLI|Qwen Code|iFlow CLI)\. We are setting up the context/,
  /^(?:First, reason in your scratchpad|Analyze \*only\* the content and structure of your immediately preceding)/,
  // OpenCode, Cline
  /^Called the \w{1,64} tool with the following input:/,
  /^\[TASK RESUMPTION\]/,
  /^Provide a detailed prompt for continuing our conversation above/,
  /^What did we do so far\?$/,
];

/** Patterns for text that a program puts before the words of a person. */
export const BEFORE_WORDS: readonly RegExp[] = [
  // Claude Code: an accepted plan, in a separate session
  /^Implement the following plan:\s{0,100}(?:#{1,6}[^\S\n]+)?/,
  // Codex: around images
  /^(?:<\/?image(?: name=[^<>]{0,200})?>\s*){1,100}/,
  /^# Context from my IDE setup:[\s\S]*?\n#{1,3} My request for Codex:?[^\S\n]*\n/,
];

/**
 * Names of blocks that contain the transcript of another session, which was sent to a model in order to generate its
 * title, summary or topic: the words of the transcript were not written in this session.
 */
export const QUOTED_BLOCKS: ReadonlySet<string> = new Set([
  ...['session', 'conversation', 'transcript', 'chat_history', 'conversation_history', 'chat-history', 'messages'],
]);
