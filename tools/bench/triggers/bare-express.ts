import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import express from 'express';

/**
 * This server is the upper bound: the same framework, the same JSON, and a response of the same size, but nothing is
 * stored. It prints its port.
 */
const app = express();
app.post('/webhooks/flows/:flowId/:secret', express.json({ limit: '4mb' }), (request, response) => {
  const executionId = randomUUID();
  response.status(202).json({
    status: 'accepted',
    flow_id: request.params.flowId,
    execution_id: executionId,
    execution_status: 'PENDING',
    deduplicated: false,
    status_url: `/api/v1/flows/executions/${executionId}`,
  });
});
const server = app.listen(0, '127.0.0.1', () => {
  console.log((server.address() as AddressInfo).port);
});
