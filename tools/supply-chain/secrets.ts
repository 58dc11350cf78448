import { lintSource } from '@secretlint/core'
import { creator as recommended } from '@secretlint/secretlint-rule-preset-recommend'

/** Map from the path of a file to a reason. In these files, the secret scan reports something that is no secret, such as a test key. */
export const knownSecrets: ReadonlyMap<string, string> = new Map([
  ['protocol/vectors/agent/test-only-keys/hub_ed25519', 'the key that recordings were made with; nothing trusts it'],
  ['protocol/vectors/agent/test-only-keys/wrong_ed25519', 'the key that recordings were made with; nothing trusts it'],
  ['agent/test/test-only-certificates/self-signed.key', 'of a certificate for 127.0.0.1 that only tests trust'],
  ['agent/test/test-only-certificates/signed.key', 'of a certificate for 127.0.0.1 that only tests trust'],
  ['hub/test/local-certificate.ts', 'of a certificate for 127.0.0.1 that only tests trust'],
  ['agent/test/websocket-proxy.test.ts', 'the password of a proxy that the test starts'],
  ['hub/src/delivery/channels/kinds/generic.test.ts', 'an address of example.com'],
  ['hub/src/delivery/channels/kinds/slack.test.ts', 'an invented token'],
  ['hub/src/startup/config.test.ts', 'an address of no database'],
  ['hub/test/startup/start.test.ts', 'an address of no database'],
])

/**
 * Finds probable secrets in the text `content`, by secretlint's recommended rules. Resolves with a list of texts with file, line and rule
 * of each.
 */
export async function secretsIn(path: string, content: string): Promise<readonly string[]> {
  const { messages } = await lintSource({
    source: { filePath: path, content, ext: path.slice(path.lastIndexOf('.')), contentType: 'text' },
    options: { noPhysicFilePath: true, config: { rules: [{ id: 'recommended', rule: recommended, rules: [] }] } },
  })
  return messages.map(({ loc, ruleId }) => `${path}:${loc.start.line}: ${ruleId.replace(/^.*secretlint-rule-/, '')}`)
}
