/**
 * List of the paths, relative to the repository, of the Markdown files that become reference pages of the documents. A missing file is left
 * out, and links to it become plain text.
 */
export const REFERENCE: readonly string[] = [
  'docs/hub.md',
  'docs/agent.md',
  'docs/alerts.md',
  'docs/channels.md',
  'docs/accounts.md',
  'docs/history.md',
  'docs/proxies.md',
  'docs/metrics.md',
  'docs/many-hubs.md',
  'docs/messages.md',
  'docs/api.md',
  'docs/api-examples.md',
  'docs/compatibility.md',
  'docs/release.md',
  'SECURITY.md',
]
