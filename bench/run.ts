import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { native, onNode } from './agent-forms.ts'
import { isMissed, type Figure, type Row } from './row.ts'
import { agentCpu, agentMemory, agentStart } from './rows/agent.ts'
import { abusedAgent, silentSockets } from './rows/agent-abuse.ts'
import { alertEvaluation, alertPreview } from './rows/alerts.ts'
import { agentGrowth, agentSize } from './rows/agent-size.ts'
import { backupUnderLoad } from './rows/backup.ts'
import { dashboardBundle, systemBundle } from './rows/bundle.ts'
import { freshClone } from './rows/fresh-clone.ts'
import { fleetPage } from './rows/fleet-page.ts'
import { groupedFleet } from './rows/grouped-systems.ts'
import { systemDrawing, systemWork } from './rows/system-page.ts'
import {
  liveDashboards,
  tenThousandAgents,
  thousandAgents,
  thousandAgentsOnBoth,
  thousandAgentsOnPostgres,
  thousandsOverSsh,
} from './rows/fleet.ts'
import { historyBytes, historyReads, historyReadsOnBoth } from './rows/history.ts'
import { awayServers, frozenHub, killedHub } from './rows/hub-faults.ts'
import { databaseLoad, eventsOfOtherHubs, hubsCost } from './rows/hubs.ts'
import { hubStart } from './rows/hub.ts'
import { abusedHub } from './rows/hub-abuse.ts'
import { eventFanOut, eventFanOutToMany, systemsList } from './rows/hub-clients.ts'
import { logPages, logPagesOnPostgres } from './rows/logs.ts'
import { noticeLatency } from './rows/notifications.ts'
import { foreignHistory } from './rows/import.ts'
import { takeover } from './rows/takeover.ts'
import { lostAgents } from './rows/lost-agents.ts'
import { firstCharts, updateGap } from './rows/update.ts'
import { alertPolicies } from './rows/alert-policies.ts'
import { alertTrends } from './rows/alert-trends.ts'
import { tagAccess } from './rows/tag-access.ts'
import { herd, restartWithOwnTokens, restartWithUniversalToken } from './rows/restart.ts'

const measurable: readonly Row[] = [
  freshClone,
  ...[onNode, native].flatMap((form) => [agentCpu(form), agentMemory(form), agentStart(form), agentSize(form)]),
  agentGrowth,
  ...[onNode, native].flatMap((form) => [abusedAgent(form), silentSockets(form)]),
  ...[onNode, native].map(lostAgents),
  hubStart,
  thousandAgents,
  thousandAgentsOnBoth,
  thousandAgentsOnPostgres,
  liveDashboards,
  eventFanOut,
  eventFanOutToMany,
  tenThousandAgents,
  thousandsOverSsh,
  restartWithOwnTokens,
  restartWithUniversalToken,
  herd,
  updateGap,
  firstCharts,
  hubsCost,
  eventsOfOtherHubs,
  databaseLoad,
  killedHub,
  frozenHub,
  awayServers,
  abusedHub,
  systemsList,
  tagAccess,
  alertPolicies,
  alertTrends,
  historyReads,
  historyReadsOnBoth,
  historyBytes,
  foreignHistory,
  takeover,
  backupUnderLoad,
  logPages,
  logPagesOnPostgres,
  noticeLatency,
  alertEvaluation,
  alertPreview,
  dashboardBundle,
  systemBundle,
  systemDrawing,
  systemWork,
  fleetPage,
  groupedFleet,
]

const { values } = parseArgs({ options: { only: { type: 'string' }, json: { type: 'string' } } })
const wanted = values.only?.split(',').map((id) => id.trim())

const unknown = wanted?.filter((id) => measurable.every((row) => row.id !== id)) ?? []
if (unknown.length > 0) {
  console.error(`There is no row ${unknown.join(', ')}; there are ${measurable.map(({ id }) => id).join(', ')}`)
  process.exit(2)
}

type Measured = { readonly id: string; readonly what: string; readonly figures: readonly Figure[]; readonly failure?: string }
const measured: Measured[] = []
console.log(`${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} threads, Node ${process.version}\n`)
for (const row of wanted === undefined ? measurable : measurable.filter(({ id }) => wanted.includes(id))) {
  const result = await measure(row)
  measured.push(result)
  print(result)
}
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(measured, undefined, 2)}\n`)
process.exitCode = measured.some(({ figures, failure }) => failure !== undefined || figures.some(isMissed)) ? 1 : 0

async function measure({ id, what, measure }: Row): Promise<Measured> {
  try {
    return { id, what, figures: await measure() }
  } catch (error) {
    return { id, what, figures: [], failure: error instanceof Error ? error.message : String(error) }
  }
}

function print({ id, what, figures, failure }: Measured): void {
  console.log(`${id}  ${what}`)
  if (failure !== undefined) console.log(`      FAILED   ${failure}`)
  for (const figure of figures) {
    const { name, value, unit, bar } = figure
    const verdict = bar === undefined ? 'reported' : isMissed(figure) ? 'MISSED' : 'met'
    console.log(`      ${verdict.padEnd(8)} ${name}: ${value.toFixed(2)} ${unit}${bar === undefined ? '' : ` (bar ${bar})`}`)
  }
}
