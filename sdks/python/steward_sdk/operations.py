# Made from the OpenAPI document by `npm run docs`.
# mypy: disable-error-code="no-any-return"

"""One method for each operation of the API."""

from __future__ import annotations

from typing import Any, Mapping, Optional, Union
from urllib.parse import quote

from . import types as t
from .caller import Answer, Caller, RawBody
from .pages import Pages


def _encode(part: str) -> str:
    return quote(str(part), safe="")


class Operations:
    """One method for each operation of the API. Paths, fields and answers are as the service documents them."""

    def __init__(self, caller: Caller) -> None:
        #: Sends requests of operations that have no method here.
        self.caller = caller

    def read_kill_switch(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.KillSwitch:
        """Read the kill switch: whether the agents of the account are stopped, since when and by whom.

        Permission: `view_agents`.
        """
        return self.caller.call(
            "GET",
            "/api/v1/account/kill-switch",
            timeout=timeout,
        )

    def set_kill_switch(
        self,
        body: t.SetKillSwitchRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.ThrownKillSwitch:
        """Engage or release the kill switch, which stops all agents of the account.

        While the kill switch is engaged, model calls, tool calls, permission checks, triggers and decisions on approval requests are refused with 403 kill_switch_engaged, executions are stopped and pending approval requests are cancelled. The response is sent after the executions have been stopped and the requests have been cancelled; if this call fails, repeating it completes the remaining work.

        Permission: `manage_kill_switch`.
        """
        return self.caller.call(
            "PUT",
            "/api/v1/account/kill-switch",
            body=body,
            timeout=timeout,
        )

    def create_agent(
        self,
        body: t.CreateAgentRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.Agent:
        """Register an agent. API keys that are bound to the agent’s id act as the agent.

        Permission: `manage_agents`.
        """
        return self.caller.call(
            "POST",
            "/api/v1/agents",
            body=body,
            timeout=timeout,
        )

    def list_agents(
        self,
        query: Optional[t.ListAgentsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.AgentPage, t.Agent]:
        """List the agents of the account, newest first.

        Permission: `view_agents`.
        """
        return self.caller.pages(
            "GET",
            "/api/v1/agents",
            query=query,
            timeout=timeout,
        )

    def list_discovery_candidates(
        self,
        query: Optional[t.ListDiscoveryCandidatesQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.DiscoveryCandidatePage, t.DiscoveryCandidate]:
        """List agents that workstations reported, newest first. A candidate that has not been reported for 90 days is deleted.

        Permission: `view_agents`.
        """
        return self.caller.pages(
            "GET",
            "/api/v1/agents/discovery-candidates",
            query=query,
            timeout=timeout,
        )

    def update_discovery_candidate(
        self,
        candidate_id: str,
        body: t.UpdateDiscoveryCandidateRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.DiscoveryCandidate:
        """Ignore a candidate, or stop ignoring it.

        Permission: `manage_agents`.
        """
        return self.caller.call(
            "PATCH",
            f"/api/v1/agents/discovery-candidates/{_encode(candidate_id)}",
            body=body,
            timeout=timeout,
        )

    def onboard_discovery_candidate(
        self,
        candidate_id: str,
        body: Optional[t.OnboardDiscoveryCandidateRequest] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.Agent:
        """Register a candidate as an agent.

        Permission: `manage_agents`.
        """
        return self.caller.call(
            "POST",
            f"/api/v1/agents/discovery-candidates/{_encode(candidate_id)}/onboard",
            body=body,
            timeout=timeout,
        )

    def report_discovery(
        self,
        body: t.ReportDiscoveryRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.TakenReports:
        """Report the agents of a workstation. The workstation and the paths of configuration files are sent only as hashes. For each new agent, `agent.discovered` is emitted once.

        Permission: `report_discovery`.

        The operation can also be used with keys that can only report discoveries.
        """
        return self.caller.call(
            "POST",
            "/api/v1/agents/discovery-reports",
            body=body,
            repeat="always",
            timeout=timeout,
        )

    def read_discovery_salt(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.DiscoverySalt:
        """Read the salt that the workstations of the account use for hashing.

        Permission: `report_discovery`.

        The operation can also be used with keys that can only report discoveries.
        """
        return self.caller.call(
            "GET",
            "/api/v1/agents/discovery-salt",
            timeout=timeout,
        )

    def read_discovery_setting(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.DiscoverySetting:
        """Read whether workstations may report their agents.

        Permission: `view_agents`.
        """
        return self.caller.call(
            "GET",
            "/api/v1/agents/discovery-setting",
            timeout=timeout,
        )

    def save_discovery_setting(
        self,
        body: t.DiscoverySetting,
        *,
        timeout: Optional[float] = None,
    ) -> t.DiscoverySetting:
        """Accept or refuse reports from workstations. Existing candidates are retained.

        Permission: `manage_agents`.
        """
        return self.caller.call(
            "PUT",
            "/api/v1/agents/discovery-setting",
            body=body,
            timeout=timeout,
        )

    def take_pending_notes(
        self,
        body: Optional[t.TakePendingNotesRequest] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.PendingNotes:
        """Take the pending notes of an agent.

        Call the operation with the credential of the agent, because a caller gets only the notes for its own agent, execution and sessions. A note counts as delivered, and is not returned again, once the response has been written.

        Permission: `manage_runtime_sessions`.

        The operation can also be used with API keys that are bound to an agent and with the token of an execution.
        """
        return self.caller.call(
            "POST",
            "/api/v1/agents/notes/pending",
            body=body,
            timeout=timeout,
        )

    def check_permission(
        self,
        body: t.CheckPermissionRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.PermissionCheck:
        """Check whether an agent may call a tool, before the call.

        Any response other than 200 with the decision "allow" means that the call is not permitted. Tools of /mcp/v1 (server "steward") are allowed here, because the MCP endpoint decides on their calls itself. If the same call is repeated while its approval request is pending, the decision is "pending" again, and no second request is created. Within 15 minutes after an approval, the call is allowed once; within one minute after a decline, it is denied. In all other cases, the call creates a new request.

        Permission: `manage_runtime_sessions`.

        The operation can also be used with API keys that are bound to an agent and with the token of an execution.
        """
        return self.caller.call(
            "POST",
            "/api/v1/agents/permission-check",
            body=body,
            repeat="always",
            timeout=timeout,
        )

    def read_agent(
        self,
        agent_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.Agent:
        """Read an agent. For a merged agent, "merged_into" is the id of the agent that replaced it.

        Permission: `view_agents`.
        """
        return self.caller.call(
            "GET",
            f"/api/v1/agents/{_encode(agent_id)}",
            timeout=timeout,
        )

    def update_agent(
        self,
        agent_id: str,
        body: t.UpdateAgentRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.Agent:
        """Update an agent; omitted fields keep their values. The keys of a suspended agent are refused from the next request on.

        Permission: `manage_agents`.
        """
        return self.caller.call(
            "PATCH",
            f"/api/v1/agents/{_encode(agent_id)}",
            body=body,
            timeout=timeout,
        )

    def retire_agent(
        self,
        agent_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> None:
        """Retire an agent. The agent’s keys are revoked and its history is retained.

        Permission: `manage_agents`.
        """
        return self.caller.call(
            "DELETE",
            f"/api/v1/agents/{_encode(agent_id)}",
            timeout=timeout,
        )

    def create_enrollment(
        self,
        agent_id: str,
        body: t.CreateEnrollmentRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.Enrollment:
        """Create an enrollment of an agent. If the enrollment is created with the status `validated`, `agent.onboarded` is emitted.

        Permission: `manage_agents`.
        """
        return self.caller.call(
            "POST",
            f"/api/v1/agents/{_encode(agent_id)}/enrollments",
            body=body,
            timeout=timeout,
        )

    def list_enrollments(
        self,
        agent_id: str,
        query: Optional[t.ListEnrollmentsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.EnrollmentPage, t.Enrollment]:
        """List the enrollments of an agent, newest first.

        Permission: `view_agents`.
        """
        return self.caller.pages(
            "GET",
            f"/api/v1/agents/{_encode(agent_id)}/enrollments",
            query=query,
            timeout=timeout,
        )

    def restore_enrollment(
        self,
        agent_id: str,
        enrollment_id: str,
        body: Optional[t.RestoreEnrollmentRequest] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.Enrollment:
        """Record that the agent’s configuration was restored, and end the enrollment.

        Permission: `manage_agents`.
        """
        return self.caller.call(
            "POST",
            f"/api/v1/agents/{_encode(agent_id)}/enrollments/{_encode(enrollment_id)}/restore",
            body=body,
            timeout=timeout,
        )

    def validate_enrollment(
        self,
        agent_id: str,
        enrollment_id: str,
        body: t.ValidateEnrollmentRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.Enrollment:
        """Report the result of an enrollment check. The first successful check emits `agent.onboarded`.

        Permission: `manage_agents`.
        """
        return self.caller.call(
            "POST",
            f"/api/v1/agents/{_encode(agent_id)}/enrollments/{_encode(enrollment_id)}/validate",
            body=body,
            timeout=timeout,
        )

    def merge_agents(
        self,
        agent_id: str,
        body: t.MergeAgentsRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.Agent:
        """Merge two agents.

        Keys, enrollments, pending notes and budgets of the duplicate move to this agent, and the duplicate is retired. Existing records keep the id of the duplicate and can be found by the id of either agent.

        Permission: `manage_agents`.
        """
        return self.caller.call(
            "POST",
            f"/api/v1/agents/{_encode(agent_id)}/merge",
            body=body,
            timeout=timeout,
        )

    def create_ai_model(
        self,
        body: t.CreateAiModelRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.AiModel:
        """Add a model that clients of the account can call.

        Permission: `manage_ai_models`.
        """
        return self.caller.call(
            "POST",
            "/api/v1/ai-models",
            body=body,
            timeout=timeout,
        )

    def list_ai_models(
        self,
        query: Optional[t.ListAiModelsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.AiModelPage, t.AiModel]:
        """List the models of the account, newest first.

        Permission: `view_ai_models`.
        """
        return self.caller.pages(
            "GET",
            "/api/v1/ai-models",
            query=query,
            timeout=timeout,
        )

    def read_ai_model(
        self,
        ai_model_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.AiModel:
        """Read a model.

        Permission: `view_ai_models`.
        """
        return self.caller.call(
            "GET",
            f"/api/v1/ai-models/{_encode(ai_model_id)}",
            timeout=timeout,
        )

    def update_ai_model(
        self,
        ai_model_id: str,
        body: t.UpdateAiModelRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.AiModel:
        """Update a model; omitted fields keep their values.

        Changing the provider or the origin of the base URL removes a stored key. If the provider changes and the request contains no base URL, the model gets the base URL of the new provider. Changes take effect with the next call of the model.

        Permission: `manage_ai_models`.
        """
        return self.caller.call(
            "PATCH",
            f"/api/v1/ai-models/{_encode(ai_model_id)}",
            body=body,
            timeout=timeout,
        )

    def delete_ai_model(
        self,
        ai_model_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> None:
        """Delete a model. A model that is a fallback of another model, or that a flow uses, cannot be deleted.

        Permission: `manage_ai_models`.
        """
        return self.caller.call(
            "DELETE",
            f"/api/v1/ai-models/{_encode(ai_model_id)}",
            timeout=timeout,
        )

    def test_ai_model(
        self,
        ai_model_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.ModelTest:
        """Test a model: request a few tokens and report whether it responded.

        The service makes one call of at most 30 seconds, without retries or fallbacks, even if the model is disabled. If the caller’s API key has limits, the call counts toward them and is recorded as usage; otherwise, no usage is recorded. `error` is a short message that never contains the key, and contains at most a short code from the provider.

        Permission: `manage_ai_models`.
        """
        return self.caller.call(
            "POST",
            f"/api/v1/ai-models/{_encode(ai_model_id)}/test",
            timeout=timeout,
        )

    def list_approval_requests(
        self,
        query: Optional[t.ListApprovalRequestsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.ApprovalRequestPage, t.ApprovalRequest]:
        """List the approval requests of the account, newest first.

        Permission: `view_approvals`.

        The operation can also be used with API keys that are bound to an agent.
        """
        return self.caller.pages(
            "GET",
            "/api/v1/approval-requests",
            query=query,
            timeout=timeout,
        )

    def read_approval_request(
        self,
        approval_request_id: str,
        query: Optional[t.ReadApprovalRequestQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.ApprovalRequest:
        """Read an approval request. With `wait`, the response is delayed until the request is no longer pending or the wait time is over.

        Permission: `view_approvals`.

        The operation can also be used with API keys that are bound to an agent.
        """
        return self.caller.call(
            "GET",
            f"/api/v1/approval-requests/{_encode(approval_request_id)}",
            query=query,
            timeout=timeout,
        )

    def cancel_approval_request(
        self,
        approval_request_id: str,
        body: Optional[t.CancelApprovalRequest] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.ApprovalRequest:
        """Cancel an approval request that no longer needs a decision.

        A request can be cancelled by the caller whose call needs the approval, and by everyone who may decide approvals.

        Permission: `view_approvals`.

        The operation can also be used with API keys that are bound to an agent.
        """
        return self.caller.call(
            "POST",
            f"/api/v1/approval-requests/{_encode(approval_request_id)}/cancel",
            body=body,
            timeout=timeout,
        )

    def decide_approval_request(
        self,
        approval_request_id: str,
        body: t.DecideApprovalRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.ApprovalRequest:
        """Approve or decline a pending call.

        The vote is attributed to the person who owns the credential. A key that is bound to an agent cannot decide.

        Permission: `decide_approvals`.
        """
        return self.caller.call(
            "POST",
            f"/api/v1/approval-requests/{_encode(approval_request_id)}/decide",
            body=body,
            timeout=timeout,
        )

    def create_approval_workflow(
        self,
        body: t.CreateApprovalWorkflowRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.SavedApprovalWorkflow:
        """Create an approval workflow, which defines approvers and a quorum.

        If the workflow has webhook receivers, their signing secret is returned only in this response.

        Permission: `manage_approval_workflows`.
        """
        return self.caller.call(
            "POST",
            "/api/v1/approval-workflows",
            body=body,
            timeout=timeout,
        )

    def list_approval_workflows(
        self,
        query: Optional[t.ListApprovalWorkflowsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.ApprovalWorkflowPage, t.ApprovalWorkflow]:
        """List the approval workflows of the account, newest first.

        Permission: `view_approvals`.
        """
        return self.caller.pages(
            "GET",
            "/api/v1/approval-workflows",
            query=query,
            timeout=timeout,
        )

    def read_approval_workflow(
        self,
        workflow_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.ApprovalWorkflow:
        """Read an approval workflow.

        Permission: `view_approvals`.
        """
        return self.caller.call(
            "GET",
            f"/api/v1/approval-workflows/{_encode(workflow_id)}",
            timeout=timeout,
        )

    def update_approval_workflow(
        self,
        workflow_id: str,
        body: t.UpdateApprovalWorkflowRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.SavedApprovalWorkflow:
        """Update an approval workflow; omitted fields keep their values.

        Changes also apply to pending requests, with two exceptions: the times of their escalation and expiry remain the same, and a raised quorum applies only to new requests. If the quorum is lowered, pending requests that now have enough approvals are approved.

        Permission: `manage_approval_workflows`.
        """
        return self.caller.call(
            "PATCH",
            f"/api/v1/approval-workflows/{_encode(workflow_id)}",
            body=body,
            timeout=timeout,
        )

    def delete_approval_workflow(
        self,
        workflow_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> None:
        """Delete an approval workflow, together with its receivers.

        The workflow must have no pending requests, and the policy in force must not name it.

        Permission: `manage_approval_workflows`.
        """
        return self.caller.call(
            "DELETE",
            f"/api/v1/approval-workflows/{_encode(workflow_id)}",
            timeout=timeout,
        )

    def start_approval_bypass(
        self,
        workflow_id: str,
        body: t.StartApprovalBypassRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.ApprovalWorkflow:
        """Approve all new requests of a workflow automatically, for a limited time.

        Requests that are already pending remain pending. A new bypass replaces the active one.

        Permission: `manage_approval_workflows`.
        """
        return self.caller.call(
            "POST",
            f"/api/v1/approval-workflows/{_encode(workflow_id)}/bypass",
            body=body,
            timeout=timeout,
        )

    def end_approval_bypass(
        self,
        workflow_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> None:
        """End a bypass. Without an active bypass, nothing changes.

        Permission: `manage_approval_workflows`.
        """
        return self.caller.call(
            "DELETE",
            f"/api/v1/approval-workflows/{_encode(workflow_id)}/bypass",
            timeout=timeout,
        )

    def rotate_approval_webhook_secret(
        self,
        workflow_id: str,
        body: Optional[t.RotateApprovalWebhookSecretRequest] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.SavedApprovalWorkflow:
        """Replace the signing secret of a workflow’s receivers. The next delivery is signed with the new secret.

        Permission: `manage_approval_workflows`.
        """
        return self.caller.call(
            "POST",
            f"/api/v1/approval-workflows/{_encode(workflow_id)}/webhook-secret/rotate",
            body=body,
            timeout=timeout,
        )

    def list_audit_entries(
        self,
        query: Optional[t.ListAuditEntriesQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.AuditEntryPage, t.AuditEntry]:
        """List the audit log, newest first.

        Permission: `view_audit_logs`.
        """
        return self.caller.pages(
            "GET",
            "/api/v1/audit-log",
            query=query,
            timeout=timeout,
        )

    def export_audit_log(
        self,
        query: Optional[t.ExportAuditLogQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Answer:
        """Download the audit log with its seals, oldest first.

        The response consists of JSON lines. The first line is `{"record": "log", "account_id", "after", "digest"}`, with `"removed": {"seals", "entries"}` if retention removed all seals before the exported ones. For each seal, its entries `{"record": "entry", ...}` follow, and then the seal `{"record": "seal", "number", "entries", "previous_digest", "digest", "sealed_at"}`. The last line is `{"record": "end", "seals": n, "entries": n, "unsealed": n, "unknown": n}`; a response without this line is incomplete. The digest of a seal is computed from the digest of the previous seal: for each entry in order, the next digest is the SHA-256 of 64 bytes, namely the current digest followed by the SHA-256 of the entry as canonical JSON (RFC 8785).

        Permission: `view_audit_logs`.
        """
        return self.caller.call(
            "GET",
            "/api/v1/audit-log/export",
            query=query,
            raw_answer=True,
            timeout=timeout,
        )

    def list_api_keys(
        self,
        query: Optional[t.ListApiKeysQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.ApiKeyPage, t.ApiKey]:
        """List API keys, newest first: your own or, with manage_users, all keys of the account.

        With an API key, only this key and the keys created with it are listed.

        The operation can be used with every credential of a person.

        The operation can also be used with API keys that are bound to an agent.
        """
        return self.caller.pages(
            "GET",
            "/api/v1/auth/api-keys",
            query=query,
            timeout=timeout,
        )

    def create_api_key(
        self,
        body: t.CreateApiKeyRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.CreatedApiKey:
        """Create an API key. Clients send the key as a bearer token.

        If one key is used to create another, the new key cannot have scopes that its parent lacks, and cannot expire later than its parent. If the parent is bound, the new key has the same binding. If `scopes`, `expires_at` or `runtime_principal` is omitted, the new key inherits the value of its parent, except that the scope `manage_api_keys` is never inherited. The new key stops working when its parent does.

        The operation can be used with every credential of a person.
        """
        return self.caller.call(
            "POST",
            "/api/v1/auth/api-keys",
            body=body,
            timeout=timeout,
        )

    def update_api_key(
        self,
        api_key_id: str,
        body: t.UpdateApiKeyRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.ApiKey:
        """Rename an API key, or change its limits; new limits apply from the key’s next call on.

        Omitted fields keep their values; `limits` are replaced as a whole, and null removes them.

        The operation can be used with every credential of a person.
        """
        return self.caller.call(
            "PATCH",
            f"/api/v1/auth/api-keys/{_encode(api_key_id)}",
            body=body,
            timeout=timeout,
        )

    def revoke_api_key(
        self,
        api_key_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> None:
        """Revoke an API key and all keys created with it, effective from the next request on.

        The operation can be used with every credential of a person.
        """
        return self.caller.call(
            "DELETE",
            f"/api/v1/auth/api-keys/{_encode(api_key_id)}",
            timeout=timeout,
        )

    def accept_invitation(
        self,
        body: t.AcceptInvitationRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.User:
        """Accept an invitation by choosing a password. An invitation can be used only once. Log in afterwards to get a token.

        No credential is required.
        """
        return self.caller.call(
            "POST",
            "/api/v1/auth/invitations/accept",
            body=body,
            timeout=timeout,
        )

    def log_out(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> None:
        """Log out. The tokens of this login stop working from the next request on.

        The operation can be used with every credential of a person.
        """
        return self.caller.call(
            "POST",
            "/api/v1/auth/logout",
            timeout=timeout,
        )

    def refresh_tokens(
        self,
        body: t.RefreshTokensRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.Tokens:
        """Exchange a refresh token for a new access token and a new refresh token.

        A refresh token can be used only once. If it is used a second time, the login ends, because the token may have been stolen.

        No credential is required.
        """
        return self.caller.call(
            "POST",
            "/api/v1/auth/refresh",
            body=body,
            timeout=timeout,
        )

    def register_account(
        self,
        body: t.RegisterAccountRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.User:
        """Create an account and its owner. Log in afterwards to get a token.

        The configuration of the deployment determines who may register: anyone, only the first account, or nobody.

        No credential is required.
        """
        return self.caller.call(
            "POST",
            "/api/v1/auth/register",
            body=body,
            timeout=timeout,
        )

    def list_logins(
        self,
        query: Optional[t.ListLoginsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.LoginPage, t.Login]:
        """List your logins, newest first.

        The operation can be used with every credential of a person.
        """
        return self.caller.pages(
            "GET",
            "/api/v1/auth/sessions",
            query=query,
            timeout=timeout,
        )

    def end_all_logins(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> None:
        """Log out everywhere. The tokens of all your logins stop working, including this one.

        API keys are not logins and keep working. They have to be revoked individually.

        The operation can be used with every credential of a person.
        """
        return self.caller.call(
            "POST",
            "/api/v1/auth/sessions/revoke-all",
            timeout=timeout,
        )

    def end_login(
        self,
        session_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> None:
        """End one of your logins. Its tokens stop working from the next request on.

        The operation can be used with every credential of a person.
        """
        return self.caller.call(
            "DELETE",
            f"/api/v1/auth/sessions/{_encode(session_id)}",
            timeout=timeout,
        )

    def log_in(
        self,
        body: t.LogInRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.Tokens:
        """Log in with JSON.

        No credential is required.
        """
        return self.caller.call(
            "POST",
            "/api/v1/auth/token/json",
            body=body,
            timeout=timeout,
        )

    def create_budget(
        self,
        body: t.CreateBudgetRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.Budget:
        """Create a budget for model calls. Calls made earlier in the current period count toward it.

        Permission: `manage_budgets`.
        """
        return self.caller.call(
            "POST",
            "/api/v1/budgets",
            body=body,
            timeout=timeout,
        )

    def list_budgets(
        self,
        query: Optional[t.ListBudgetsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.BudgetPage, t.Budget]:
        """List the budgets of the account with their spend, newest first.

        Permission: `view_cost`.
        """
        return self.caller.pages(
            "GET",
            "/api/v1/budgets",
            query=query,
            timeout=timeout,
        )

    def read_budget(
        self,
        budget_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.Budget:
        """Read a budget with the spend of its current period.

        Permission: `view_cost`.
        """
        return self.caller.call(
            "GET",
            f"/api/v1/budgets/{_encode(budget_id)}",
            timeout=timeout,
        )

    def update_budget(
        self,
        budget_id: str,
        body: t.UpdateBudgetRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.Budget:
        """Update the terms of a budget; omitted fields keep their values.

        After the limit is raised, thresholds above the current spend can alert again.

        Permission: `manage_budgets`.
        """
        return self.caller.call(
            "PATCH",
            f"/api/v1/budgets/{_encode(budget_id)}",
            body=body,
            timeout=timeout,
        )

    def delete_budget(
        self,
        budget_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> None:
        """Delete a budget. Calls in flight are still completed.

        Permission: `manage_budgets`.
        """
        return self.caller.call(
            "DELETE",
            f"/api/v1/budgets/{_encode(budget_id)}",
            timeout=timeout,
        )

    def read_deployment(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.Deployment:
        """Describe this deployment.

        Without a credential, the response contains only the information that the sign-in page needs.

        The credential is optional.

        The operation can also be used with API keys that are bound to an agent and with the token of an execution.
        """
        return self.caller.call(
            "GET",
            "/api/v1/deployment",
            timeout=timeout,
        )

    def read_deployment_health(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.DeploymentHealth:
        """Read the state of the queues, processes and database of this deployment.

        Only users of the accounts in `OPERATOR_ACCOUNTS` may read the health of the deployment. If that setting is empty, users may read the health only if the deployment has a single account. Figures are at most 10 seconds old.

        Permission: `manage_users`.
        """
        return self.caller.call(
            "GET",
            "/api/v1/deployment/health",
            timeout=timeout,
        )

    def read_event_catalogue(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.EventCatalogue:
        """List event types with their schemas, and read the headers, signature and retry schedule of deliveries.

        Permission: `view_policies`.

        The operation can also be used with portal links, which are limited to the endpoints of their group.
        """
        return self.caller.call(
            "GET",
            "/api/v1/event-webhooks/catalogue",
            timeout=timeout,
        )

    def list_deliveries(
        self,
        query: Optional[t.ListDeliveriesQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.DeliveryPage, t.Delivery]:
        """List deliveries, newest first.

        Permission: `view_policies`.

        The operation can also be used with portal links, which are limited to the endpoints of their group.
        """
        return self.caller.pages(
            "GET",
            "/api/v1/event-webhooks/deliveries",
            query=query,
            timeout=timeout,
        )

    def list_dead_letters(
        self,
        query: Optional[t.ListDeadLettersQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.DeliveryPage, t.Delivery]:
        """List dead deliveries, for which no further attempt is scheduled, newest first.

        Permission: `view_policies`.
        """
        return self.caller.pages(
            "GET",
            "/api/v1/event-webhooks/deliveries/dead-letter",
            query=query,
            timeout=timeout,
        )

    def start_recovery(
        self,
        body: t.StartRecoveryRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.StartedRecovery:
        """Send dead deliveries of a time range again, in the background, or only count them.

        Permission: `manage_policies`.
        """
        return self.caller.call(
            "POST",
            "/api/v1/event-webhooks/deliveries/recover",
            body=body,
            timeout=timeout,
        )

    def read_recovery(
        self,
        recovery_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.Recovery:
        """Read the progress of a recovery.

        Permission: `view_policies`.
        """
        return self.caller.call(
            "GET",
            f"/api/v1/event-webhooks/deliveries/recover/{_encode(recovery_id)}",
            timeout=timeout,
        )

    def read_delivery(
        self,
        delivery_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.DeliveryDetails:
        """Read a delivery with its attempts and the reason for its state.

        Permission: `view_policies`.

        The operation can also be used with portal links, which are limited to the endpoints of their group.
        """
        return self.caller.call(
            "GET",
            f"/api/v1/event-webhooks/deliveries/{_encode(delivery_id)}",
            timeout=timeout,
        )

    def replay_event(
        self,
        event_id: str,
        body: Optional[t.ReplayEventRequest] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.Replay:
        """Send an event again to every endpoint to which it was sent before, or to one of them.

        Permission: `manage_policies`.

        The operation can also be used with portal links, which are limited to the endpoints of their group.
        """
        return self.caller.call(
            "POST",
            f"/api/v1/event-webhooks/deliveries/{_encode(event_id)}/replay",
            body=body,
            timeout=timeout,
        )

    def create_endpoint(
        self,
        body: t.CreateEndpointRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.CreatedEndpoint:
        """Register a webhook endpoint. The signing secret is returned only in this response.

        Permission: `manage_policies`.

        The operation can also be used with portal links, which are limited to the endpoints of their group.
        """
        return self.caller.call(
            "POST",
            "/api/v1/event-webhooks/endpoints",
            body=body,
            timeout=timeout,
        )

    def list_endpoints(
        self,
        query: Optional[t.ListEndpointsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.EndpointPage, t.Endpoint]:
        """List webhook endpoints, newest first.

        Permission: `view_policies`.

        The operation can also be used with portal links, which are limited to the endpoints of their group.
        """
        return self.caller.pages(
            "GET",
            "/api/v1/event-webhooks/endpoints",
            query=query,
            timeout=timeout,
        )

    def read_endpoint(
        self,
        endpoint_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.Endpoint:
        """Read an endpoint with the state of its circuit breaker and the outcome of its last delivery.

        Permission: `view_policies`.

        The operation can also be used with portal links, which are limited to the endpoints of their group.
        """
        return self.caller.call(
            "GET",
            f"/api/v1/event-webhooks/endpoints/{_encode(endpoint_id)}",
            timeout=timeout,
        )

    def update_endpoint(
        self,
        endpoint_id: str,
        body: t.UpdateEndpointRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.Endpoint:
        """Update an endpoint. A new URL or `active: true` closes the circuit breaker immediately.

        Permission: `manage_policies`.

        The operation can also be used with portal links, which are limited to the endpoints of their group.
        """
        return self.caller.call(
            "PATCH",
            f"/api/v1/event-webhooks/endpoints/{_encode(endpoint_id)}",
            body=body,
            timeout=timeout,
        )

    def delete_endpoint(
        self,
        endpoint_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> None:
        """Delete an endpoint. Its pending deliveries are cancelled. The history of its deliveries is stored until the retention period ends.

        Permission: `manage_policies`.

        The operation can also be used with portal links, which are limited to the endpoints of their group.
        """
        return self.caller.call(
            "DELETE",
            f"/api/v1/event-webhooks/endpoints/{_encode(endpoint_id)}",
            timeout=timeout,
        )

    def rotate_endpoint_secret(
        self,
        endpoint_id: str,
        body: Optional[t.RotateEndpointSecretRequest] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.CreatedEndpoint:
        """Replace the signing secret. Until `overlap_seconds` have passed, deliveries are also signed with the old secret.

        Permission: `manage_policies`.

        The operation can also be used with portal links, which are limited to the endpoints of their group.
        """
        return self.caller.call(
            "POST",
            f"/api/v1/event-webhooks/endpoints/{_encode(endpoint_id)}/secret/rotate",
            body=body,
            timeout=timeout,
        )

    def test_endpoint(
        self,
        endpoint_id: str,
        body: Optional[t.TestEndpointRequest] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.TestSend:
        """Send a test event, or the example event of an event type, to one endpoint, regardless of its subscriptions.

        An example event contains the example data of the catalog, including the ids in that data; the event itself has a new id and the current time. The event is delivered like any other event of its type.

        Permission: `manage_policies`.

        The operation can also be used with portal links, which are limited to the endpoints of their group.
        """
        return self.caller.call(
            "POST",
            f"/api/v1/event-webhooks/endpoints/{_encode(endpoint_id)}/test",
            body=body,
            timeout=timeout,
        )

    def read_sent_event(
        self,
        event_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.SentEvent:
        """Read an event as it is sent: its body and the headers common to all attempts.

        An event is stored at least until all of its deliveries have been deleted. Signature, timestamp and attempt number differ per attempt.

        Permission: `manage_policies`.
        """
        return self.caller.call(
            "GET",
            f"/api/v1/event-webhooks/events/{_encode(event_id)}",
            timeout=timeout,
        )

    def create_listener(
        self,
        body: Optional[t.CreateListenerRequest] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.CreatedListener:
        """Create a listener, which reads events as a stream. The signing secret is returned only in this response.

        Permission: `manage_policies`.
        """
        return self.caller.call(
            "POST",
            "/api/v1/event-webhooks/listeners",
            body=body,
            timeout=timeout,
        )

    def list_listeners(
        self,
        query: Optional[t.ListListenersQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.ListenerPage, t.Listener]:
        """List listeners, newest first.

        Permission: `view_policies`.
        """
        return self.caller.pages(
            "GET",
            "/api/v1/event-webhooks/listeners",
            query=query,
            timeout=timeout,
        )

    def update_listener(
        self,
        listener_id: str,
        body: t.CreateListenerRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.Listener:
        """Change the description or the event types of a listener. New event types apply to new events only.

        Permission: `manage_policies`.
        """
        return self.caller.call(
            "PATCH",
            f"/api/v1/event-webhooks/listeners/{_encode(listener_id)}",
            body=body,
            timeout=timeout,
        )

    def delete_listener(
        self,
        listener_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> None:
        """Delete a listener together with its unread events. An open stream ends.

        Permission: `manage_policies`.
        """
        return self.caller.call(
            "DELETE",
            f"/api/v1/event-webhooks/listeners/{_encode(listener_id)}",
            timeout=timeout,
        )

    def stream_listener_events(
        self,
        listener_id: str,
        query: Optional[t.StreamListenerEventsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Answer:
        """Stream the events of a listener. Each event is sent at least once and is signed like a webhook.

        The response consists of server-sent events: `event` is the event type; `data` is an object with the `headers` and the `body` of a webhook with this event; `id` is the position to send as `Last-Event-ID`. A `ping` is sent every 15 s.

        Permission: `manage_policies`.
        """
        return self.caller.call(
            "GET",
            f"/api/v1/event-webhooks/listeners/{_encode(listener_id)}/events",
            query=query,
            raw_answer=True,
            timeout=timeout,
        )

    def create_portal_link(
        self,
        body: t.CreatePortalLinkRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.CreatedPortalLink:
        """Create a link with which a customer can manage the endpoints of one group for one hour.

        The link opens a page that can be embedded in the pages of the given origins. Endpoints of the group receive events of the whole account. Choose only event types that the holder of the link may see.

        Permission: `manage_policies`.
        """
        return self.caller.call(
            "POST",
            "/api/v1/event-webhooks/portal-links",
            body=body,
            timeout=timeout,
        )

    def list_portal_links(
        self,
        query: Optional[t.ListPortalLinksQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.PortalLinkPage, t.PortalLink]:
        """List portal links that have not expired, newest first.

        Permission: `view_policies`.
        """
        return self.caller.pages(
            "GET",
            "/api/v1/event-webhooks/portal-links",
            query=query,
            timeout=timeout,
        )

    def delete_portal_link(
        self,
        portal_link_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> None:
        """Revoke a portal link, effective from the next request on. The endpoints remain.

        Permission: `manage_policies`.
        """
        return self.caller.call(
            "DELETE",
            f"/api/v1/event-webhooks/portal-links/{_encode(portal_link_id)}",
            timeout=timeout,
        )

    def list_flow_secrets(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.FlowSecretPage, t.FlowSecret]:
        """List the named secrets of flows, sorted by name, all on one page. Values are not returned.

        Permission: `edit_flows`.
        """
        return self.caller.pages(
            "GET",
            "/api/v1/flow-secrets",
            timeout=timeout,
        )

    def read_flow_secret(
        self,
        name: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.FlowSecret:
        """Read the time at which a named secret was set. The value of the secret is not returned.

        Permission: `edit_flows`.
        """
        return self.caller.call(
            "GET",
            f"/api/v1/flow-secrets/{_encode(name)}",
            timeout=timeout,
        )

    def save_flow_secret(
        self,
        name: str,
        body: t.SaveFlowSecretRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.FlowSecret:
        """Create or replace a named secret. Flows of the account refer to it as {{secret.NAME}}.

        Permission: `edit_flows`.
        """
        return self.caller.call(
            "PUT",
            f"/api/v1/flow-secrets/{_encode(name)}",
            body=body,
            timeout=timeout,
        )

    def delete_flow_secret(
        self,
        name: str,
        *,
        timeout: Optional[float] = None,
    ) -> None:
        """Delete a named secret. Executions of flows that refer to the secret fail from now on.

        Permission: `edit_flows`.
        """
        return self.caller.call(
            "DELETE",
            f"/api/v1/flow-secrets/{_encode(name)}",
            timeout=timeout,
        )

    def list_flow_templates(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.FlowTemplates:
        """List flow templates, each with a variant for every kind of tracker that it supports.

        Permission: `view_flows`.
        """
        return self.caller.call(
            "GET",
            "/api/v1/flow-templates",
            timeout=timeout,
        )

    def list_flows(
        self,
        query: Optional[t.ListFlowsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.FlowPage, t.Flow]:
        """List flows, newest first.

        Permission: `view_flows`.

        The operation can also be used with API keys that are bound to an agent and with the token of an execution.
        """
        return self.caller.pages(
            "GET",
            "/api/v1/flows",
            query=query,
            timeout=timeout,
        )

    def create_flow(
        self,
        body: t.CreateFlowRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.Flow:
        """Create a flow. If the flow is started by a webhook, a webhook secret is generated.

        Permission: `create_flows`.
        """
        return self.caller.call(
            "POST",
            "/api/v1/flows",
            body=body,
            timeout=timeout,
        )

    def list_executions(
        self,
        query: Optional[t.ListExecutionsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.ExecutionPage, t.Execution]:
        """List executions, newest first.

        Permission: `view_flows`.

        The operation can also be used with API keys that are bound to an agent and with the token of an execution.
        """
        return self.caller.pages(
            "GET",
            "/api/v1/flows/executions",
            query=query,
            timeout=timeout,
        )

    def read_execution(
        self,
        execution_id: str,
        query: Optional[t.ReadExecutionQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.Execution:
        """Read an execution. With `wait`, the response is delayed until the execution ends or the wait time is over.

        If the caller does not have the permission `manage_runtime_sessions`, or uses the token of an execution to read data of another session, credentials in strings are replaced by `[redacted]`.

        Permission: `view_flows`.

        The operation can also be used with API keys that are bound to an agent and with the token of an execution.
        """
        return self.caller.call(
            "GET",
            f"/api/v1/flows/executions/{_encode(execution_id)}",
            query=query,
            timeout=timeout,
        )

    def download_execution_evidence(
        self,
        execution_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> Answer:
        """Download the evidence of an execution.

        The response is a gzipped tar archive that contains the files under `files/` and a `manifest.json` with the SHA-256 of each file.

        Permission: `view_flows`.

        The operation can also be used with API keys that are bound to an agent and with the token of an execution.
        """
        return self.caller.call(
            "GET",
            f"/api/v1/flows/executions/{_encode(execution_id)}/evidence",
            raw_answer=True,
            timeout=timeout,
        )

    def list_execution_logs(
        self,
        execution_id: str,
        query: Optional[t.ListExecutionLogsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.LogLinePage, t.LogLine]:
        """Read the log lines of an execution, oldest first; `follow=1` streams them.

        Permission: `view_flows`.

        The operation can also be used with API keys that are bound to an agent and with the token of an execution.
        """
        return self.caller.pages(
            "GET",
            f"/api/v1/flows/executions/{_encode(execution_id)}/logs",
            query=query,
            timeout=timeout,
        )

    def retry_execution(
        self,
        execution_id: str,
        body: Optional[t.RetryExecutionRequest] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.AcceptedTrigger:
        """Retry a failed or stopped execution with the same payload and files.

        Permission: `execute_flows`.
        """
        return self.caller.call(
            "POST",
            f"/api/v1/flows/executions/{_encode(execution_id)}/retry",
            body=body,
            timeout=timeout,
        )

    def stop_execution(
        self,
        execution_id: str,
        body: Optional[t.StopExecutionRequest] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.Execution:
        """Stop an execution. Stopping a finished execution changes nothing.

        Permission: `execute_flows`.
        """
        return self.caller.call(
            "POST",
            f"/api/v1/flows/executions/{_encode(execution_id)}/stop",
            body=body,
            timeout=timeout,
        )

    def list_execution_vulnerabilities(
        self,
        execution_id: str,
        query: Optional[t.ListExecutionVulnerabilitiesQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.VulnerabilityPage, t.Vulnerability]:
        """List the vulnerabilities in the result of an execution, each with the reason why it is reportable or not.

        Entries are in the order of the result. The reasons are not a legal determination. The service reports nothing to authorities; reporting is the responsibility of the manufacturer.

        Permission: `view_flows`.

        The operation can also be used with API keys that are bound to an agent and with the token of an execution.
        """
        return self.caller.pages(
            "GET",
            f"/api/v1/flows/executions/{_encode(execution_id)}/vulnerabilities",
            query=query,
            timeout=timeout,
        )

    def list_flow_models(
        self,
        query: Optional[t.ListFlowModelsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.ModelChoicePage, t.ModelChoice]:
        """List the models that flows can use, newest first.

        Permission: `view_flows`.
        """
        return self.caller.pages(
            "GET",
            "/api/v1/flows/models",
            query=query,
            timeout=timeout,
        )

    def list_flow_tools(
        self,
        query: Optional[t.ListFlowToolsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.ToolChoicePage, t.ToolChoice]:
        """List the tools that a flow may allow its agent: first the tools of the built-in agent, of this service and for trackers, then those of tool servers, sorted by server and tool name.

        The policy decides which of these tools an agent may call.

        Permission: `view_flows`.
        """
        return self.caller.pages(
            "GET",
            "/api/v1/flows/tools",
            query=query,
            timeout=timeout,
        )

    def read_flow(
        self,
        flow_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.Flow:
        """Read a flow.

        Permission: `view_flows`.

        The operation can also be used with API keys that are bound to an agent and with the token of an execution.
        """
        return self.caller.call(
            "GET",
            f"/api/v1/flows/{_encode(flow_id)}",
            timeout=timeout,
        )

    def update_flow(
        self,
        flow_id: str,
        body: t.UpdateFlowRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.Flow:
        """Update a flow. Secrets that are omitted or sent back masked keep their values. If the flow is now started by a webhook and has no webhook secret yet, a secret is generated.

        Permission: `edit_flows`.
        """
        return self.caller.call(
            "PATCH",
            f"/api/v1/flows/{_encode(flow_id)}",
            body=body,
            timeout=timeout,
        )

    def delete_flow(
        self,
        flow_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> None:
        """Delete a flow. Past executions of the flow remain readable.

        Permission: `delete_flows`.
        """
        return self.caller.call(
            "DELETE",
            f"/api/v1/flows/{_encode(flow_id)}",
            timeout=timeout,
        )

    def list_flow_arrivals(
        self,
        flow_id: str,
        query: Optional[t.ListFlowArrivalsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.FlowArrivalPage, t.FlowArrival]:
        """List the last 100 arrivals of a flow, newest first: requests from its source, including ignored ones, and one entry for each time that an arrival was processed again.

        Permission: `view_flows`.
        """
        return self.caller.pages(
            "GET",
            f"/api/v1/flows/{_encode(flow_id)}/arrivals",
            query=query,
            timeout=timeout,
        )

    def send_arrival_again(
        self,
        flow_id: str,
        arrival_id: str,
        body: Optional[t.SendArrivalAgainRequest] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.SentArrival:
        """Process an arrival again with the current settings of the flow. If the arrival matches these settings, a new execution is started.

        Permission: `execute_flows`.
        """
        return self.caller.call(
            "POST",
            f"/api/v1/flows/{_encode(flow_id)}/arrivals/{_encode(arrival_id)}/send-again",
            body=body,
            timeout=timeout,
        )

    def read_flow_schedule(
        self,
        flow_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.FlowSchedule:
        """Read the schedule of a flow, with its next five due times.

        Permission: `view_flows`.
        """
        return self.caller.call(
            "GET",
            f"/api/v1/flows/{_encode(flow_id)}/schedule",
            timeout=timeout,
        )

    def list_flow_due_times(
        self,
        flow_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.DueTimes:
        """List the last 100 due times of a flow with their outcomes, newest first.

        Permission: `view_flows`.
        """
        return self.caller.call(
            "GET",
            f"/api/v1/flows/{_encode(flow_id)}/schedule/due-times",
            timeout=timeout,
        )

    def pause_flow_schedule(
        self,
        flow_id: str,
        body: Optional[t.PauseFlowScheduleRequest] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.FlowSchedule:
        """Pause the schedule of a flow: no scheduled runs are started until the schedule is resumed.

        Permission: `edit_flows`.
        """
        return self.caller.call(
            "POST",
            f"/api/v1/flows/{_encode(flow_id)}/schedule/pause",
            body=body,
            timeout=timeout,
        )

    def resume_flow_schedule(
        self,
        flow_id: str,
        body: Optional[t.ResumeFlowScheduleRequest] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.FlowSchedule:
        """Resume the schedule of a flow; runs that were due in the meantime are skipped.

        Permission: `edit_flows`.
        """
        return self.caller.call(
            "POST",
            f"/api/v1/flows/{_encode(flow_id)}/schedule/resume",
            body=body,
            timeout=timeout,
        )

    def run_flow_schedule(
        self,
        flow_id: str,
        body: Optional[t.RunFlowScheduleRequest] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.AcceptedTrigger:
        """Run a scheduled flow now, even if its schedule is paused or another run is active.

        Permission: `execute_flows`.
        """
        return self.caller.call(
            "POST",
            f"/api/v1/flows/{_encode(flow_id)}/schedule/run",
            body=body,
            repeat="key",
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def register_flow_hook(
        self,
        flow_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.FlowTracker:
        """Register the webhook of a flow at its tracker now, and return the outcome.

        An existing webhook is corrected; the webhook of a disabled flow is removed. If the service is already registering or removing a webhook of the flow, the returned state is `pending`, and the request takes effect afterwards.

        Permission: `edit_flows`.
        """
        return self.caller.call(
            "POST",
            f"/api/v1/flows/{_encode(flow_id)}/tracker-registration",
            timeout=timeout,
        )

    def trigger_flow(
        self,
        flow_id: str,
        body: Optional[Mapping[str, Any]] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.AcceptedTrigger:
        """Start a flow with the body as the trigger payload.

        A body that contains only {"payload": {...}} is unwrapped. `workspace_files` adds files to the workspace.

        Permission: `execute_flows`.
        """
        return self.caller.call(
            "POST",
            f"/api/v1/flows/{_encode(flow_id)}/trigger",
            body=body,
            repeat="key",
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def rotate_flow_webhook_secret(
        self,
        flow_id: str,
        body: Optional[t.RotateFlowWebhookSecretRequest] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.RotatedFlowSecret:
        """Replace the webhook secret. The old URL returns 404 from now on.

        Permission: `edit_flows`.
        """
        return self.caller.call(
            "POST",
            f"/api/v1/flows/{_encode(flow_id)}/webhook-secret/rotate",
            body=body,
            timeout=timeout,
        )

    def read_health(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.Health:
        """Check health: whether this process can serve requests, and which of its dependencies respond.

        No credential is required.
        """
        return self.caller.call(
            "GET",
            "/api/v1/health",
            timeout=timeout,
        )

    def probe_liveness(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.Liveness:
        """Check liveness: whether the process responds, regardless of its dependencies.

        No credential is required.
        """
        return self.caller.call(
            "GET",
            "/api/v1/livez",
            timeout=timeout,
        )

    def create_tool_server(
        self,
        body: t.CreateToolServerRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.ToolServer:
        """Add a tool server.

        Permission: `manage_policies`.
        """
        return self.caller.call(
            "POST",
            "/api/v1/mcp-servers",
            body=body,
            timeout=timeout,
        )

    def list_tool_servers(
        self,
        query: Optional[t.ListToolServersQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.ToolServerPage, t.ToolServer]:
        """List the tool servers of the account, newest first.

        Permission: `view_policies`.
        """
        return self.caller.pages(
            "GET",
            "/api/v1/mcp-servers",
            query=query,
            timeout=timeout,
        )

    def read_tool_server(
        self,
        mcp_server_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.ToolServer:
        """Read a tool server.

        Permission: `view_policies`.
        """
        return self.caller.call(
            "GET",
            f"/api/v1/mcp-servers/{_encode(mcp_server_id)}",
            timeout=timeout,
        )

    def update_tool_server(
        self,
        mcp_server_id: str,
        body: t.UpdateToolServerRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.ToolServer:
        """Update a tool server; omitted fields keep their values.

        Changing the origin of the URL deletes the login and, unless the request contains new headers, the stored headers.

        Permission: `manage_policies`.
        """
        return self.caller.call(
            "PATCH",
            f"/api/v1/mcp-servers/{_encode(mcp_server_id)}",
            body=body,
            timeout=timeout,
        )

    def delete_tool_server(
        self,
        mcp_server_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> None:
        """Delete a tool server.

        Permission: `manage_policies`.
        """
        return self.caller.call(
            "DELETE",
            f"/api/v1/mcp-servers/{_encode(mcp_server_id)}",
            timeout=timeout,
        )

    def read_tool_server_log(
        self,
        mcp_server_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.ToolServerLog:
        """Read the last output of a tool server’s program, and how the program ended.

        Permission: `manage_policies`.
        """
        return self.caller.call(
            "GET",
            f"/api/v1/mcp-servers/{_encode(mcp_server_id)}/log",
            timeout=timeout,
        )

    def disconnect_tool_server(
        self,
        mcp_server_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> None:
        """Delete the login of a tool server, including one in progress.

        The tokens are revoked at the authorization server if that server supports revocation.

        Permission: `manage_policies`.
        """
        return self.caller.call(
            "DELETE",
            f"/api/v1/mcp-servers/{_encode(mcp_server_id)}/oauth",
            timeout=timeout,
        )

    def connect_tool_server(
        self,
        mcp_server_id: str,
        body: t.ConnectToolServerRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.BegunLogin:
        """Start a login (OAuth) at the authorization server of a tool server.

        The response contains the URL of the page where the person logs in and grants access. The person who started the login completes it with `finish` within 15 minutes.

        Permission: `manage_policies`.
        """
        return self.caller.call(
            "POST",
            f"/api/v1/mcp-servers/{_encode(mcp_server_id)}/oauth/connect",
            body=body,
            timeout=timeout,
        )

    def finish_tool_server_login(
        self,
        mcp_server_id: str,
        body: t.FinishToolServerLoginRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.ToolServer:
        """Finish a login that you started. The tool server is then called with the tokens of this login.

        The body contains the parameters that `redirect_uri` received. The tokens are stored encrypted and never returned.

        Permission: `manage_policies`.
        """
        return self.caller.call(
            "POST",
            f"/api/v1/mcp-servers/{_encode(mcp_server_id)}/oauth/finish",
            body=body,
            timeout=timeout,
        )

    def refresh_tool_server(
        self,
        mcp_server_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.ToolServer:
        """Reload the tools of a server now.

        The response contains the server; its `status` shows whether its tools could be listed. Tools are also reloaded every five minutes and after each update.

        Permission: `manage_policies`.
        """
        return self.caller.call(
            "POST",
            f"/api/v1/mcp-servers/{_encode(mcp_server_id)}/refresh",
            timeout=timeout,
        )

    def list_tools(
        self,
        mcp_server_id: str,
        query: Optional[t.ListToolsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.ToolPage, t.Tool]:
        """List the tools of a server in order of name, with the accepted definition of each tool that has changed.

        Permission: `view_policies`.
        """
        return self.caller.pages(
            "GET",
            f"/api/v1/mcp-servers/{_encode(mcp_server_id)}/tools",
            query=query,
            timeout=timeout,
        )

    def accept_tool(
        self,
        mcp_server_id: str,
        tool_name: str,
        body: Optional[t.AcceptToolRequest] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.Tool:
        """Accept the current definition of a tool.

        Permission: `manage_policies`.
        """
        return self.caller.call(
            "POST",
            f"/api/v1/mcp-servers/{_encode(mcp_server_id)}/tools/{_encode(tool_name)}/accept",
            body=body,
            timeout=timeout,
        )

    def create_notice_channel(
        self,
        body: t.CreateNoticeChannelRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.NoticeChannel:
        """Add a channel to which notices for people are posted: Slack, Teams or ntfy.

        Permission: `manage_policies`.
        """
        return self.caller.call(
            "POST",
            "/api/v1/notice-channels",
            body=body,
            timeout=timeout,
        )

    def list_notice_channels(
        self,
        query: Optional[t.ListNoticeChannelsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.NoticeChannelPage, t.NoticeChannel]:
        """List notice channels, newest first.

        Permission: `view_policies`.
        """
        return self.caller.pages(
            "GET",
            "/api/v1/notice-channels",
            query=query,
            timeout=timeout,
        )

    def read_notice_channel(
        self,
        channel_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.NoticeChannel:
        """Read a notice channel with the outcome of its last delivery.

        Permission: `view_policies`.
        """
        return self.caller.call(
            "GET",
            f"/api/v1/notice-channels/{_encode(channel_id)}",
            timeout=timeout,
        )

    def update_notice_channel(
        self,
        channel_id: str,
        body: t.UpdateNoticeChannelRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.NoticeChannel:
        """Update a notice channel. Changing the origin of the URL removes the token unless the request contains a new token.

        Permission: `manage_policies`.
        """
        return self.caller.call(
            "PATCH",
            f"/api/v1/notice-channels/{_encode(channel_id)}",
            body=body,
            timeout=timeout,
        )

    def delete_notice_channel(
        self,
        channel_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> None:
        """Delete a notice channel. Notices that have not been posted yet are cancelled.

        Permission: `manage_policies`.
        """
        return self.caller.call(
            "DELETE",
            f"/api/v1/notice-channels/{_encode(channel_id)}",
            timeout=timeout,
        )

    def test_notice_channel(
        self,
        channel_id: str,
        body: Optional[t.TestNoticeChannelRequest] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.TestNotice:
        """Post a test notice, or the example notice of a notice type, to one channel.

        The delivery (`GET /api/v1/event-webhooks/deliveries/{id}`) contains the response of Slack, Teams or ntfy.

        Permission: `manage_policies`.
        """
        return self.caller.call(
            "POST",
            f"/api/v1/notice-channels/{_encode(channel_id)}/test",
            body=body,
            timeout=timeout,
        )

    def send_operator_note(
        self,
        body: t.SendOperatorNoteRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.OperatorNote:
        """Send a note to a session, a managed agent or a flow execution.

        Set exactly one of `runtime_session_id`, `managed_agent_id` and `execution_id`. The note is delivered with the next turn of the agent; if there is no open session, it waits for the next session. A note to a session that has ended is stored but not delivered; for every other note, the event `agent.note_sent` is emitted. One author can send at most 20 notes per hour to one agent; further requests are refused with 429.

        Permission: `control_managed_agent`.
        """
        return self.caller.call(
            "POST",
            "/api/v1/operator-notes",
            body=body,
            timeout=timeout,
        )

    def list_operator_notes(
        self,
        query: Optional[t.ListOperatorNotesQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.OperatorNotePage, t.OperatorNote]:
        """List notes to agents, newest first.

        If the caller does not have the permission `manage_runtime_sessions`, or uses the token of an execution to read data of another session, credentials in the notes are replaced by `[redacted]`.

        Permission: `view_runtime_sessions`.

        The operation can also be used with API keys that are bound to an agent and with the token of an execution.
        """
        return self.caller.pages(
            "GET",
            "/api/v1/operator-notes",
            query=query,
            timeout=timeout,
        )

    def cancel_operator_note(
        self,
        note_id: str,
        body: Optional[t.CancelOperatorNoteRequest] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.OperatorNote:
        """Cancel a note. If the note was delivered or is being delivered, has expired or was already cancelled, the response is 409 with the state of the note.

        Permission: `control_managed_agent`.
        """
        return self.caller.call(
            "POST",
            f"/api/v1/operator-notes/{_encode(note_id)}/cancel",
            body=body,
            timeout=timeout,
        )

    def read_overview(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.Overview:
        """Count the items that need attention and the running executions, and read whether agents are stopped.

        The operation can be used with every credential of a person.
        """
        return self.caller.call(
            "GET",
            "/api/v1/overview",
            timeout=timeout,
        )

    def read_policy(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.Policy:
        """Read the policy in force. With Accept: application/yaml, the response is the text of the policy as it was applied.

        Permission: `view_policies`.
        """
        return self.caller.call(
            "GET",
            "/api/v1/policies",
            timeout=timeout,
        )

    def apply_policy(
        self,
        body: RawBody,
        query: Optional[t.ApplyPolicyQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.AppliedPolicy:
        """Apply a policy document, effective from the next decision on.

        With If-Match: "3", the document is applied only while version 3 is in force; otherwise the response is 412.

        Permission: `manage_policies`.
        """
        return self.caller.call(
            "POST",
            "/api/v1/policies/apply",
            query=query,
            raw_body=body,
            timeout=timeout,
        )

    def start_backtest(
        self,
        body: t.StartBacktestRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.Backtest:
        """Test a policy document against recorded tool calls, in the background.

        A document is compared with the version in force. Without a document, the version in force is compared with the recorded calls, each of which counts as allowed.

        Permission: `view_policies`, `view_runtime_sessions`.
        """
        return self.caller.call(
            "POST",
            "/api/v1/policies/backtest",
            body=body,
            timeout=timeout,
        )

    def read_backtest(
        self,
        backtest_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.Backtest:
        """Read the progress and the result of a backtest.

        Permission: `view_policies`, `view_runtime_sessions`.
        """
        return self.caller.call(
            "GET",
            f"/api/v1/policies/backtests/{_encode(backtest_id)}",
            timeout=timeout,
        )

    def compare_policy(
        self,
        body: RawBody,
        *,
        timeout: Optional[float] = None,
    ) -> t.PolicyDiff:
        """Compare a policy document with the one in force, matching rules by id.

        Permission: `view_policies`.
        """
        return self.caller.call(
            "POST",
            "/api/v1/policies/diff",
            raw_body=body,
            repeat="always",
            timeout=timeout,
        )

    def read_policy_schema(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> Any:
        """Read the JSON Schema of a policy, for editors.

        `x-condition-names` lists the names that a condition may use, because JSON Schema cannot express this restriction.

        Permission: `view_policies`.
        """
        return self.caller.call(
            "GET",
            "/api/v1/policies/schema",
            timeout=timeout,
        )

    def test_policy(
        self,
        body: t.TestPolicyRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.PolicyDecision:
        """Evaluate a tool call against the policy, rule by rule. No tool is called, and nothing is recorded.

        Permission: `view_policies`.
        """
        return self.caller.call(
            "POST",
            "/api/v1/policies/test",
            body=body,
            repeat="always",
            timeout=timeout,
        )

    def validate_policy(
        self,
        body: RawBody,
        *,
        timeout: Optional[float] = None,
    ) -> t.PolicyValidation:
        """Validate a policy document and report errors and warnings.

        Permission: `view_policies`.
        """
        return self.caller.call(
            "POST",
            "/api/v1/policies/validate",
            raw_body=body,
            repeat="always",
            timeout=timeout,
        )

    def list_policy_versions(
        self,
        query: Optional[t.ListPolicyVersionsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.PolicyVersionPage, t.PolicyVersion]:
        """List all versions of the policy, newest first.

        Permission: `view_policies`.
        """
        return self.caller.pages(
            "GET",
            "/api/v1/policies/versions",
            query=query,
            timeout=timeout,
        )

    def read_policy_version(
        self,
        version: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.Policy:
        """Read one version of the policy. With Accept: application/yaml, the response is the text of the policy as it was applied.

        Permission: `view_policies`.
        """
        return self.caller.call(
            "GET",
            f"/api/v1/policies/versions/{_encode(version)}",
            timeout=timeout,
        )

    def roll_back_policy(
        self,
        version: str,
        body: Optional[t.RollBackPolicyRequest] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.AppliedPolicy:
        """Apply the content of an old policy version again, as a new version.

        Permission: `manage_policies`.
        """
        return self.caller.call(
            "POST",
            f"/api/v1/policies/versions/{_encode(version)}/rollback",
            body=body,
            timeout=timeout,
        )

    def read_push_key(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.PushKey:
        """Read the public key (VAPID) with which a browser subscribes to notices of this deployment.

        The operation can be used with every credential of a person.
        """
        return self.caller.call(
            "GET",
            "/api/v1/push-key",
            timeout=timeout,
        )

    def probe_readiness(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.Readiness:
        """Check readiness: whether the database responds and the process is not stopping.

        No credential is required.
        """
        return self.caller.call(
            "GET",
            "/api/v1/readyz",
            timeout=timeout,
        )

    def list_roles(
        self,
        query: Optional[t.ListRolesQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.RolePage, t.Role]:
        """List the system roles and the custom roles of the account.

        The operation can be used with every credential of a person.
        """
        return self.caller.pages(
            "GET",
            "/api/v1/roles",
            query=query,
            timeout=timeout,
        )

    def create_role(
        self,
        body: t.CreateRoleRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.Role:
        """Create a custom role. The role cannot have permissions that its creator lacks.

        Permission: `manage_users`.
        """
        return self.caller.call(
            "POST",
            "/api/v1/roles",
            body=body,
            timeout=timeout,
        )

    def update_role(
        self,
        role_id: str,
        body: t.UpdateRoleRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.Role:
        """Change the permissions of a custom role, effective from the next request of its users on.

        The caller needs all old and new permissions of the role. The name cannot be changed.

        Permission: `manage_users`.
        """
        return self.caller.call(
            "PATCH",
            f"/api/v1/roles/{_encode(role_id)}",
            body=body,
            timeout=timeout,
        )

    def delete_role(
        self,
        role_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> None:
        """Delete a custom role that no user and no approval workflow uses.

        Permission: `manage_users`.
        """
        return self.caller.call(
            "DELETE",
            f"/api/v1/roles/{_encode(role_id)}",
            timeout=timeout,
        )

    def open_session(
        self,
        body: t.OpenSessionRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.RuntimeSession:
        """Open a session, or update the existing session with the same source.

        An ended session is updated, too, but stays ended.

        Permission: `manage_runtime_sessions`.

        The operation can also be used with API keys that are bound to an agent and with the token of an execution.
        """
        return self.caller.call(
            "POST",
            "/api/v1/runtime-sessions",
            body=body,
            repeat="always",
            timeout=timeout,
        )

    def list_sessions(
        self,
        query: Optional[t.ListSessionsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.RuntimeSessionPage, t.RuntimeSession]:
        """List sessions, newest first.

        Permission: `view_runtime_sessions`.

        The operation can also be used with API keys that are bound to an agent and with the token of an execution.
        """
        return self.caller.pages(
            "GET",
            "/api/v1/runtime-sessions",
            query=query,
            timeout=timeout,
        )

    def list_credential_sightings(
        self,
        body: t.ListCredentialSightingsRequest,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.CredentialSightingPage, t.CredentialSighting]:
        """List the places where a credential was seen, newest first.

        A keyed fingerprint of the value is compared with the fingerprints that were stored when content was indexed. The list is empty for a value that was never seen and for a value that no rule recognizes as a credential.

        Permission: `view_runtime_sessions`, `search_session_content`.
        """
        return self.caller.pages(
            "POST",
            "/api/v1/runtime-sessions/credential-sightings",
            body=body,
            repeat="always",
            timeout=timeout,
        )

    def start_deletion(
        self,
        body: t.StartDeletionRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.DeletionJob:
        """Delete all matching sessions in the background, or only count them.

        Sessions under legal hold and sessions of active executions are not deleted and are counted in `kept`. Sessions stored after the request are not deleted either.

        Permission: `manage_runtime_sessions`.
        """
        return self.caller.call(
            "POST",
            "/api/v1/runtime-sessions/deletions",
            body=body,
            timeout=timeout,
        )

    def read_deletion(
        self,
        deletion_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.DeletionJob:
        """Read the progress of a bulk deletion.

        Permission: `view_runtime_sessions`.
        """
        return self.caller.call(
            "GET",
            f"/api/v1/runtime-sessions/deletions/{_encode(deletion_id)}",
            timeout=timeout,
        )

    def import_sessions(
        self,
        body: RawBody,
        query: Optional[t.ImportSessionsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.ImportSummary:
        """Import session files of agents in their original formats.

        Supported formats: Claude Code and Codex (transcripts and JSON output), Gemini CLI, OpenCode, Cursor, OpenAI and Anthropic (messages, logs, streams and batches), Vercel UI messages, LangSmith runs, and entries in the service’s own format. Importing the same file again adds nothing. Entries that were stored before an error remain stored. With `Accept: application/x-ndjson`, the response is a stream of lines: `{"type": "progress"}` during the import, then `summary` or `error`.

        Permission: `manage_runtime_sessions`.

        The operation can also be used with API keys that are bound to an agent.
        """
        return self.caller.call(
            "POST",
            "/api/v1/runtime-sessions/import",
            query=query,
            raw_body=body,
            timeout=timeout,
        )

    def search_sessions(
        self,
        body: t.SearchSessionsRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.SearchAnswer:
        """Search the content of runtime sessions.

        Permission: `view_runtime_sessions`, `search_session_content`.

        The operation can also be used with API keys that are bound to an agent and with the token of an execution.
        """
        return self.caller.call(
            "POST",
            "/api/v1/runtime-sessions/search",
            body=body,
            repeat="always",
            timeout=timeout,
        )

    def create_saved_search(
        self,
        body: t.CreateSavedSearchRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.SavedSearch:
        """Save a search under a name, privately or for the account.

        Permission: `view_runtime_sessions`, `search_session_content`.
        """
        return self.caller.call(
            "POST",
            "/api/v1/runtime-sessions/search/saved",
            body=body,
            timeout=timeout,
        )

    def list_saved_searches(
        self,
        query: Optional[t.ListSavedSearchesQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.SavedSearchPage, t.SavedSearch]:
        """List your saved searches and those shared with the account, newest first.

        Permission: `view_runtime_sessions`, `search_session_content`.

        The operation can also be used with API keys that are bound to an agent and with the token of an execution.
        """
        return self.caller.pages(
            "GET",
            "/api/v1/runtime-sessions/search/saved",
            query=query,
            timeout=timeout,
        )

    def read_saved_search(
        self,
        saved_search_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.SavedSearch:
        """Read a saved search.

        Permission: `view_runtime_sessions`, `search_session_content`.

        The operation can also be used with API keys that are bound to an agent and with the token of an execution.
        """
        return self.caller.call(
            "GET",
            f"/api/v1/runtime-sessions/search/saved/{_encode(saved_search_id)}",
            timeout=timeout,
        )

    def update_saved_search(
        self,
        saved_search_id: str,
        body: t.UpdateSavedSearchRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.SavedSearch:
        """Update your own saved search; omitted fields keep their values, and `filters` is replaced as a whole.

        Permission: `view_runtime_sessions`, `search_session_content`.
        """
        return self.caller.call(
            "PATCH",
            f"/api/v1/runtime-sessions/search/saved/{_encode(saved_search_id)}",
            body=body,
            timeout=timeout,
        )

    def delete_saved_search(
        self,
        saved_search_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> None:
        """Delete your own saved search or, with manage_users, a shared search of another user.

        Permission: `view_runtime_sessions`, `search_session_content`.
        """
        return self.caller.call(
            "DELETE",
            f"/api/v1/runtime-sessions/search/saved/{_encode(saved_search_id)}",
            timeout=timeout,
        )

    def run_saved_search(
        self,
        saved_search_id: str,
        body: Optional[t.RunSavedSearchRequest] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.SavedSearchRun:
        """Run a saved search; paging is set in the body.

        The response contains the search result, the filters that refer to deleted objects, and whether the ranking has changed since the search was saved.

        Permission: `view_runtime_sessions`, `search_session_content`.

        The operation can also be used with API keys that are bound to an agent and with the token of an execution.
        """
        return self.caller.call(
            "POST",
            f"/api/v1/runtime-sessions/search/saved/{_encode(saved_search_id)}/run",
            body=body,
            repeat="always",
            timeout=timeout,
        )

    def read_backfill(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.BackfillState:
        """Read the progress of the search backfill and its estimated time of completion.

        Permission: `view_runtime_sessions`.
        """
        return self.caller.call(
            "GET",
            "/api/v1/runtime-sessions/settings/backfill",
            timeout=timeout,
        )

    def read_embedding_setting(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.EmbeddingSetting:
        """Read the embedding setting of the account, today’s spend and the state of the corpus.

        Permission: `view_runtime_sessions`.
        """
        return self.caller.call(
            "GET",
            "/api/v1/runtime-sessions/settings/embedding",
            timeout=timeout,
        )

    def save_embedding_setting(
        self,
        body: t.SaveEmbeddingSettingRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.EmbeddingSetting:
        """Update the embedding setting. Fields that are omitted or null keep their values, except `daily_cap_usd`, which is reset by null.

        Provider details are saved only if the request leaves embedding enabled. If any part is refused, nothing is saved. Changing the origin of the endpoint removes a stored key.

        Permission: `manage_budgets`.
        """
        return self.caller.call(
            "PUT",
            "/api/v1/runtime-sessions/settings/embedding",
            body=body,
            timeout=timeout,
        )

    def read_title_setting(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.TitleSetting:
        """Read which model generates the titles of the account’s sessions.

        Permission: `view_runtime_sessions`.
        """
        return self.caller.call(
            "GET",
            "/api/v1/runtime-sessions/settings/titles",
            timeout=timeout,
        )

    def save_title_setting(
        self,
        body: t.SaveTitleSettingRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.TitleSetting:
        """Set the model that generates the titles of the account’s sessions, or none.

        The model is called in the background, within the budgets, when a session without a title from a client or an import is listed. It is called again for the same session only if it has not responded, or if the first words of the session have changed. After a failure, the title is requested again after an hour at the earliest. Each call appears in the usage.

        Permission: `manage_budgets`.
        """
        return self.caller.call(
            "PUT",
            "/api/v1/runtime-sessions/settings/titles",
            body=body,
            timeout=timeout,
        )

    def read_session(
        self,
        session_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.RuntimeSession:
        """Read a session.

        Permission: `view_runtime_sessions`.

        The operation can also be used with API keys that are bound to an agent and with the token of an execution.
        """
        return self.caller.call(
            "GET",
            f"/api/v1/runtime-sessions/{_encode(session_id)}",
            timeout=timeout,
        )

    def update_session(
        self,
        session_id: str,
        body: t.UpdateSessionRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.RuntimeSession:
        """Update title, summary, labels or legal hold of a session.

        Permission: `manage_runtime_sessions`.

        The operation can also be used with API keys that are bound to an agent and with the token of an execution.
        """
        return self.caller.call(
            "PATCH",
            f"/api/v1/runtime-sessions/{_encode(session_id)}",
            body=body,
            timeout=timeout,
        )

    def delete_session(
        self,
        session_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> None:
        """Permanently delete a session and all of its content.

        After the response, the session can no longer be found or read; its content is deleted in the background. The request is refused with 409 `legal_hold` for a session under legal hold, and with 409 `execution_active` for the session of an active execution. Content sent later with the same source opens a new session.

        Permission: `manage_runtime_sessions`.
        """
        return self.caller.call(
            "DELETE",
            f"/api/v1/runtime-sessions/{_encode(session_id)}",
            timeout=timeout,
        )

    def end_session(
        self,
        session_id: str,
        body: Optional[t.EndSessionRequest] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.RuntimeSession:
        """End a session (reason `operator`).

        Emits `session.ended` once. Ending an ended session changes nothing.

        Permission: `manage_runtime_sessions`.

        The operation can also be used with API keys that are bound to an agent and with the token of an execution.
        """
        return self.caller.call(
            "POST",
            f"/api/v1/runtime-sessions/{_encode(session_id)}/end",
            body=body,
            repeat="always",
            timeout=timeout,
        )

    def export_session(
        self,
        session_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> Answer:
        """Download a session with all of its content.

        The response consists of JSON lines: `{"record": "session", ...}`, then one `{"record": "content", ...}` per entry, oldest first as in the timeline, and finally `{"record": "end", "items": n}`. A response without this last line is incomplete. The response is 503 if bodies are in an object store that does not respond.

        Permission: `view_runtime_sessions`.

        The operation can also be used with API keys that are bound to an agent and with the token of an execution.
        """
        return self.caller.call(
            "GET",
            f"/api/v1/runtime-sessions/{_encode(session_id)}/export",
            raw_answer=True,
            timeout=timeout,
        )

    def store_interaction(
        self,
        session_id: str,
        body: t.StoreInteractionRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.StoredContent:
        """Store a model interaction.

        If MODEL_GATEWAY_CAPTURE_CONTENT is off, `request` and `response` are not stored; only metadata is stored and searchable.

        Permission: `manage_runtime_sessions`.

        The operation can also be used with API keys that are bound to an agent and with the token of an execution.
        """
        return self.caller.call(
            "POST",
            f"/api/v1/runtime-sessions/{_encode(session_id)}/interactions",
            body=body,
            repeat="id",
            timeout=timeout,
        )

    def list_similar_sessions(
        self,
        session_id: str,
        query: Optional[t.ListSimilarSessionsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.SimilarSessions:
        """Find similar sessions, most similar first.

        Permission: `view_runtime_sessions`, `search_session_content`.

        The operation can also be used with API keys that are bound to an agent and with the token of an execution.
        """
        return self.caller.call(
            "GET",
            f"/api/v1/runtime-sessions/{_encode(session_id)}/similar",
            query=query,
            timeout=timeout,
        )

    def read_timeline(
        self,
        session_id: str,
        query: Optional[t.ReadTimelineQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.TimelineEntryPage, t.TimelineEntry]:
        """List the content of a session, oldest first.

        A page with large bodies may contain fewer items than `limit`. Use `next_cursor` to continue. A cursor is only a position; the `order` of each request determines the direction in which reading continues. A body in an object store that does not respond is returned as null, with `content_error`. If the caller does not have the permission `manage_runtime_sessions`, or uses the token of an execution to read data of another session, credentials in the content are replaced by `[redacted]`.

        Permission: `view_runtime_sessions`.

        The operation can also be used with API keys that are bound to an agent and with the token of an execution.
        """
        return self.caller.pages(
            "GET",
            f"/api/v1/runtime-sessions/{_encode(session_id)}/timeline",
            query=query,
            timeout=timeout,
        )

    def store_tool_call(
        self,
        session_id: str,
        body: t.StoreToolCallRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.StoredContent:
        """Store a tool call.

        Permission: `manage_runtime_sessions`.

        The operation can also be used with API keys that are bound to an agent and with the token of an execution.
        """
        return self.caller.call(
            "POST",
            f"/api/v1/runtime-sessions/{_encode(session_id)}/tool-calls",
            body=body,
            repeat="id",
            timeout=timeout,
        )

    def import_transcript(
        self,
        session_id: str,
        body: t.ImportTranscriptRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.TranscriptImport:
        """Import messages of a transcript.

        Either all messages are stored or none. A message whose external_id the session already has is skipped.

        Permission: `manage_runtime_sessions`.

        The operation can also be used with API keys that are bound to an agent and with the token of an execution.
        """
        return self.caller.call(
            "POST",
            f"/api/v1/runtime-sessions/{_encode(session_id)}/transcript",
            body=body,
            timeout=timeout,
        )

    def list_schedules(
        self,
        query: Optional[t.ListSchedulesQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.FlowSchedulePage, t.FlowSchedule]:
        """List the schedules of flows, with their next due times, newest flow first.

        Permission: `view_flows`.
        """
        return self.caller.pages(
            "GET",
            "/api/v1/schedules",
            query=query,
            timeout=timeout,
        )

    def preview_schedule(
        self,
        body: t.PreviewScheduleRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.NextDueTimes:
        """Preview the next five due times of a schedule. The schedule is validated but not stored.

        Permission: `view_flows`.
        """
        return self.caller.call(
            "POST",
            "/api/v1/schedules/preview",
            body=body,
            repeat="always",
            timeout=timeout,
        )

    def read_search_grants(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.SearchGrants:
        """List which agents may search the sessions of the whole account (enterprise edition).

        Permission: `manage_agents`, `search_session_content`.
        """
        return self.caller.call(
            "GET",
            "/api/v1/session-search/grants",
            timeout=timeout,
        )

    def save_search_grants(
        self,
        body: t.SearchGrants,
        *,
        timeout: Optional[float] = None,
    ) -> t.SearchGrants:
        """Set which agents may search the sessions of the whole account (enterprise edition).

        The request replaces the whole list: subjects that are omitted no longer have a grant. For each search, the grant of the API key is looked up first, then that of its agent, then that of the account; the first grant found applies, whether its value is true or false.

        Permission: `manage_agents`, `search_session_content`.
        """
        return self.caller.call(
            "PUT",
            "/api/v1/session-search/grants",
            body=body,
            timeout=timeout,
        )

    def read_approval_decision_stats(
        self,
        query: Optional[t.ReadApprovalDecisionStatsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.Series:
        """Read the outcomes of approval requests over time, and how long the requests were pending.

        A request is counted at the time of its decision, expiry or cancellation; `failed` is the number of requests that were not approved. Durations are measured from the creation of a request to its decision, expiry or cancellation.

        Permission: `view_approvals`.
        """
        return self.caller.call(
            "GET",
            "/api/v1/stats/approval_decisions",
            query=query,
            timeout=timeout,
        )

    def read_approval_stats(
        self,
        query: Optional[t.ReadApprovalStatsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.Series:
        """Read the number of approval requests over time.

        A request is counted at the time at which it was created; `person` is the owner of the credential with which the request was created.

        Permission: `view_approvals`.
        """
        return self.caller.call(
            "GET",
            "/api/v1/stats/approvals",
            query=query,
            timeout=timeout,
        )

    def read_delivery_stats(
        self,
        query: Optional[t.ReadDeliveryStatsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.Series:
        """Read the number of finished webhook deliveries over time.

        A delivery is counted at the time at which it was delivered, became dead (counted in `failed`) or was cancelled.

        Permission: `view_policies`.
        """
        return self.caller.call(
            "GET",
            "/api/v1/stats/deliveries",
            query=query,
            timeout=timeout,
        )

    def read_delivery_latency_stats(
        self,
        query: Optional[t.ReadDeliveryLatencyStatsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.Series:
        """Read the durations of webhook deliveries over time.

        The durations are those of successful deliveries, from the creation of the delivery to its acceptance by the receiver, including retries.

        Permission: `view_policies`.
        """
        return self.caller.call(
            "GET",
            "/api/v1/stats/delivery_latency",
            query=query,
            timeout=timeout,
        )

    def read_execution_stats(
        self,
        query: Optional[t.ReadExecutionStatsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.Series:
        """Read the outcomes and durations of executions over time.

        An execution is counted at the time at which it ended; `failed` is the number of executions with the status `FAILED`. Durations are measured from the start of an execution to its end.

        Permission: `view_flows`.
        """
        return self.caller.call(
            "GET",
            "/api/v1/stats/executions",
            query=query,
            timeout=timeout,
        )

    def read_model_call_stats(
        self,
        query: Optional[t.ReadModelCallStatsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.Series:
        """Read the numbers of model calls and of their tokens over time.

        Refused calls are counted, too; `failed` is the number of calls with the status `error`.

        Permission: `view_cost`.
        """
        return self.caller.call(
            "GET",
            "/api/v1/stats/model_calls",
            query=query,
            timeout=timeout,
        )

    def read_search_corpus_stats(
        self,
        query: Optional[t.ReadSearchCorpusStatsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.Series:
        """Read the size of the search corpus over time.

        `size` is the number of chunks at the end of each step; `count` is the increase during the step.

        Permission: `view_runtime_sessions`.
        """
        return self.caller.call(
            "GET",
            "/api/v1/stats/search_corpus",
            query=query,
            timeout=timeout,
        )

    def read_session_stats(
        self,
        query: Optional[t.ReadSessionStatsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.Series:
        """Read the number of started sessions over time.

        A session is counted at the time at which it started.

        Permission: `view_runtime_sessions`.
        """
        return self.caller.call(
            "GET",
            "/api/v1/stats/sessions",
            query=query,
            timeout=timeout,
        )

    def read_spend_stats(
        self,
        query: Optional[t.ReadSpendStatsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.Series:
        """Read the cost of model calls over time.

        `cost_usd` is the sum of the costs of the calls that `GET /api/v1/usage` lists; calls with an unknown price add nothing to it.

        Permission: `view_cost`.
        """
        return self.caller.call(
            "GET",
            "/api/v1/stats/spend",
            query=query,
            timeout=timeout,
        )

    def read_tool_call_stats(
        self,
        query: Optional[t.ReadToolCallStatsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.Series:
        """Read the number of recorded tool calls over time.

        `failed` counts the calls that were denied, were declined or ended with an error.

        Permission: `view_runtime_sessions`.
        """
        return self.caller.call(
            "GET",
            "/api/v1/stats/tool_calls",
            query=query,
            timeout=timeout,
        )

    def create_tracker(
        self,
        body: t.CreateTrackerRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.Tracker:
        """Connect a tracker.

        Permission: `manage_trackers`.
        """
        return self.caller.call(
            "POST",
            "/api/v1/trackers",
            body=body,
            timeout=timeout,
        )

    def list_trackers(
        self,
        query: Optional[t.ListTrackersQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.TrackerPage, t.Tracker]:
        """List the connections to trackers, newest first.

        Permission: `view_trackers`.
        """
        return self.caller.pages(
            "GET",
            "/api/v1/trackers",
            query=query,
            timeout=timeout,
        )

    def read_tracker(
        self,
        tracker_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.Tracker:
        """Read a connection to a tracker.

        Permission: `view_trackers`.
        """
        return self.caller.call(
            "GET",
            f"/api/v1/trackers/{_encode(tracker_id)}",
            timeout=timeout,
        )

    def update_tracker(
        self,
        tracker_id: str,
        body: t.UpdateTrackerRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.Tracker:
        """Update a connection to a tracker; omitted fields keep their values.

        If base_url is changed to another server, the token must be sent again. If a webhook could not be registered or removed, another attempt is made with the new settings.

        Permission: `manage_trackers`.
        """
        return self.caller.call(
            "PATCH",
            f"/api/v1/trackers/{_encode(tracker_id)}",
            body=body,
            timeout=timeout,
        )

    def delete_tracker(
        self,
        tracker_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> None:
        """Delete a connection whose events start no flow, together with its token.

        Permission: `manage_trackers`.
        """
        return self.caller.call(
            "DELETE",
            f"/api/v1/trackers/{_encode(tracker_id)}",
            timeout=timeout,
        )

    def test_tracker(
        self,
        tracker_id: str,
        body: Optional[t.TestTrackerRequest] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.TrackerTrial:
        """Test a connection: ask the tracker who owns the token and what the token may do.

        If `repository` is set, the response also contains the permissions in that repository. Nothing is changed at the tracker.

        Permission: `manage_trackers`.
        """
        return self.caller.call(
            "POST",
            f"/api/v1/trackers/{_encode(tracker_id)}/test",
            body=body,
            timeout=timeout,
        )

    def list_usage(
        self,
        query: Optional[t.ListUsageQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.UsageRowPage, t.UsageRow]:
        """List model calls with their tokens and costs, newest first.

        Permission: `view_cost`.
        """
        return self.caller.pages(
            "GET",
            "/api/v1/usage",
            query=query,
            timeout=timeout,
        )

    def summarize_usage(
        self,
        query: t.SummarizeUsageQuery,
        *,
        timeout: Optional[float] = None,
    ) -> t.UsageSummary:
        """Summarize model calls, tokens and costs of a time range; default: the last 30 days.

        Permission: `view_cost`.
        """
        return self.caller.call(
            "GET",
            "/api/v1/usage/summary",
            query=query,
            timeout=timeout,
        )

    def list_users(
        self,
        query: Optional[t.ListUsersQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.UserPage, t.User]:
        """List the users of the account, newest first.

        Permission: `manage_users`.
        """
        return self.caller.pages(
            "GET",
            "/api/v1/users",
            query=query,
            timeout=timeout,
        )

    def create_user(
        self,
        body: t.CreateUserRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.CreatedUser:
        """Add a user to the account.

        If the request contains no password, the response contains a one-time invitation, with which the user chooses a password; until then, the user cannot log in.

        Permission: `manage_users`.
        """
        return self.caller.call(
            "POST",
            "/api/v1/users",
            body=body,
            timeout=timeout,
        )

    def read_me(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.User:
        """Read the caller: the user of the token, or the owner of the API key.

        The operation can be used with every credential of a person.

        The operation can also be used with API keys that are bound to an agent and with the token of an execution.
        """
        return self.caller.call(
            "GET",
            "/api/v1/users/me",
            timeout=timeout,
        )

    def change_password(
        self,
        body: t.ChangePasswordRequest,
        *,
        timeout: Optional[float] = None,
    ) -> None:
        """Change your password. The change ends your other logins.

        If the current password is wrong, the response is 422 with the name of the field (not 401, because the token itself is valid), and the request counts as a failed login. API keys cannot be used to change passwords. Existing API keys keep working after a change.

        The operation can be used with every credential of a person.
        """
        return self.caller.call(
            "PUT",
            "/api/v1/users/me/password",
            body=body,
            timeout=timeout,
        )

    def list_push_subscriptions(
        self,
        query: Optional[t.ListPushSubscriptionsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.PushSubscriptionPage, t.PushSubscription]:
        """List your browsers that get notices, newest first.

        The operation can be used with every credential of a person.
        """
        return self.caller.pages(
            "GET",
            "/api/v1/users/me/push-subscriptions",
            query=query,
            timeout=timeout,
        )

    def create_push_subscription(
        self,
        body: t.CreatePushSubscriptionRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.PushSubscription:
        """Subscribe a browser to notices, until its login ends. If the browser is already subscribed, its subscription is replaced.

        The operation can be used with every credential of a person.
        """
        return self.caller.call(
            "POST",
            "/api/v1/users/me/push-subscriptions",
            body=body,
            timeout=timeout,
        )

    def update_push_subscription(
        self,
        subscription_id: str,
        body: t.UpdatePushSubscriptionRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.PushSubscription:
        """Choose which notices are pushed to one of your browsers.

        The operation can be used with every credential of a person.
        """
        return self.caller.call(
            "PATCH",
            f"/api/v1/users/me/push-subscriptions/{_encode(subscription_id)}",
            body=body,
            timeout=timeout,
        )

    def delete_push_subscription(
        self,
        subscription_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> None:
        """Unsubscribe one of your browsers from notices.

        The operation can be used with every credential of a person.
        """
        return self.caller.call(
            "DELETE",
            f"/api/v1/users/me/push-subscriptions/{_encode(subscription_id)}",
            timeout=timeout,
        )

    def update_user(
        self,
        user_id: str,
        body: t.UpdateUserRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.User:
        """Change a user’s role, or activate or deactivate the user. The change applies from the user’s next request on.

        Callers cannot change a user who has a permission that they lack; only owners can change owners. Deactivation ends the user’s logins, and permanently revokes the user’s API keys and invitation.

        Permission: `manage_users`.
        """
        return self.caller.call(
            "PATCH",
            f"/api/v1/users/{_encode(user_id)}",
            body=body,
            timeout=timeout,
        )

    def invite_user(
        self,
        user_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.IssuedInvitation:
        """Issue a new invitation for a user who has no password yet. The previous invitation becomes invalid.

        Permission: `manage_users`.
        """
        return self.caller.call(
            "POST",
            f"/api/v1/users/{_encode(user_id)}/invitation",
            timeout=timeout,
        )

    def receive_flow_webhook(
        self,
        flow_id: str,
        webhook_secret: str,
        body: Mapping[str, Any],
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Union[t.WebhookChallenge, t.AcceptedWebhook]:
        """Receive a webhook; the body becomes the trigger payload.

        Requests can safely be repeated with an Idempotency-Key (or X-GitHub-Delivery, X-Gitlab-Event-UUID, webhook-id or X-Service-Event-Id): for 24 hours, the same key returns the first execution. If the flow sets a source, such as `github`, the media types and headers of that sender are recognized, its signature is verified if the flow has signing secrets, and requests that do not match the flow’s event types or filter are ignored. If no source is set, the sender is recognized by its headers (X-GitHub-Event, X-Gitlab-Event, X-Event-Key and others).

        No credential is required.
        """
        return self.caller.call(
            "POST",
            f"/webhooks/flows/{_encode(flow_id)}/{_encode(webhook_secret)}",
            body=body,
            repeat="key",
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
