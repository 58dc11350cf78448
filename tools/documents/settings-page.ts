import { helpTable } from '../../agent/src/config/help.ts'
import { hubOptions } from '../../hub/src/startup/config.ts'
import { optionsTable } from '../../hub/src/startup/options/options.ts'

/**
 * Returns the Markdown of the documents' page with all settings of hub and agent. It is generated from the same option tables by which the
 * programs read their settings.
 */
export const settingsPage = (): string => `# Settings

Every setting is a flag and an environment variable. The flag takes precedence. A program with an invalid setting lists all mistakes and does not start.

## Settings of the hub

Set them for \`./vedette start\` and \`./vedette hub\`. [The hub](../hub.md) explains them in their context.

${optionsTable(hubOptions)}

## Settings of the agent

Each variable can also have the prefix \`VEDETTE_AGENT_\`. [The agent](../agent.md) explains them in their context.

${helpTable()}
`
