import { fetchContainerInfo, type Container } from '../../../api/inventory.ts'
import { LoadedPart } from '../../../navigation/loaded-part.tsx'
import { useDialog } from '../../../navigation/use-dialog.ts'
import { useFormats } from '../../../preferences/use-preferences.ts'
import * as words from '../../../words/messages.js'
import type { AgentText } from './agent-text-dialog.tsx'
import { cn } from '../../../ui/cn.ts'
import { onDemand } from '../../../ui/on-demand.tsx'
import { InventoryTable } from './inventory-table.tsx'
import { containerColumns } from './things.tsx'
import { useContainerGrouping } from './use-container-grouping.ts'

const LogDialog = onDemand(async () => (await import('./log-dialog.tsx')).LogDialog)
const AgentTextDialog = onDemand(async () => (await import('./agent-text-dialog.tsx')).AgentTextDialog)

/**
 * React component: table of a system's containers, with buttons that open the log and the configuration of each. Containers can be grouped
 * by Compose project. Renders nothing without containers.
 */
export function Containers({ systemId, containers }: { systemId: string; containers: readonly Container[] }) {
  const formats = useFormats()
  const { dialog, item, open, close } = useDialog()
  const { isGrouped, setGrouped } = useContainerGrouping()
  if (containers.length === 0) return null
  const hasProjects = containers.some(({ project }) => project !== undefined)
  const infoOf = ({ id, name, restarts }: Container): AgentText => ({
    id: `info ${systemId} ${id}`,
    title: words.inspect_of({ name }),
    about: aboutOf(restarts),
    fetch: (signal) => fetchContainerInfo(systemId, id, signal),
  })
  const shown = containers.find(({ id }) => id === item)
  return (
    <>
      <InventoryTable
        table="containers"
        title={words.containers()}
        columns={containerColumns(formats)}
        rows={containers}
        keyOf={({ id }) => id}
        textOf={({ name, image, project = '' }) => `${name} ${image} ${project}`}
        grouping={isGrouped && hasProjects ? { nameOf: ({ project }) => project, others: words.no_project() } : undefined}
        actions={[
          { word: words.logs(), label: words.logs_of, onPress: ({ id }) => open('container-logs', id) },
          { word: words.inspect(), label: words.inspect_of, onPress: ({ id }) => open('container', id) },
        ]}
      >
        {hasProjects && (
          <button
            type="button"
            aria-pressed={isGrouped}
            onClick={() => setGrouped(!isGrouped)}
            className={cn(
              'h-7 rounded-control border border-control-border px-2.5 text-note',
              isGrouped ? 'bg-track text-text hover:bg-border-strong' : 'bg-surface text-muted hover:bg-hover',
            )}
          >
            {words.group_by_project()}
          </button>
        )}
      </InventoryTable>
      <LoadedPart>
        {shown !== undefined && dialog === 'container-logs' && (
          <LogDialog systemId={systemId} containerId={shown.id} name={shown.name} onClose={close} />
        )}
        {shown !== undefined && dialog === 'container' && <AgentTextDialog text={infoOf(shown)} onClose={close} />}
      </LoadedPart>
    </>
  )
}

const aboutOf = (restarts: number | undefined): string =>
  restarts === undefined ? words.inspect_about() : `${words.restarts_count({ count: restarts })} ${words.inspect_about()}`
