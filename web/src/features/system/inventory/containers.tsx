import { useState } from 'react'
import { fetchContainerInfo, fetchContainerLogs, type Container } from '../../../api/inventory.ts'
import * as words from '../../../words/messages.js'
import { AgentTextDialog, type AgentText } from './agent-text-dialog.tsx'
import { InventoryTable } from './inventory-table.tsx'
import { containerColumns } from './things.tsx'

/** What runs in containers now, with the logs and the configuration of each. */
export function Containers({ systemId, containers }: { systemId: string; containers: readonly Container[] }) {
  const [text, setText] = useState<AgentText>()
  if (containers.length === 0) return null
  const logsOf = ({ id, name }: Container): AgentText => ({
    id: `logs ${systemId} ${id}`,
    title: words.logs_of({ name }),
    about: words.logs_about(),
    fetch: (signal) => fetchContainerLogs(systemId, id, signal),
  })
  const infoOf = ({ id, name }: Container): AgentText => ({
    id: `info ${systemId} ${id}`,
    title: words.inspect_of({ name }),
    about: words.inspect_about(),
    fetch: (signal) => fetchContainerInfo(systemId, id, signal),
  })
  return (
    <>
      <InventoryTable
        table="containers"
        title={words.containers()}
        columns={containerColumns()}
        rows={containers}
        keyOf={({ id }) => id}
        textOf={({ name, image }) => `${name} ${image}`}
        actions={[
          { word: words.logs(), label: words.logs_of, onPress: (container) => setText(logsOf(container)) },
          { word: words.inspect(), label: words.inspect_of, onPress: (container) => setText(infoOf(container)) },
        ]}
      />
      {text !== undefined && <AgentTextDialog text={text} onClose={() => setText(undefined)} />}
    </>
  )
}
