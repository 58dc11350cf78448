import { useState } from 'react'
import { fetchServiceProperties, type Service } from '../../../api/inventory.ts'
import * as words from '../../../words/messages.js'
import { AgentTextDialog, type AgentText } from './agent-text-dialog.tsx'
import { InventoryTable } from './inventory-table.tsx'
import { serviceColumns } from './things.tsx'

/** The units of the service manager as last listed, with the properties of each. */
export function Services({ systemId, services }: { systemId: string; services: readonly Service[] }) {
  const [text, setText] = useState<AgentText>()
  if (services.length === 0) return null
  const propertiesOf = ({ name }: Service): AgentText => ({
    id: `service ${systemId} ${name}`,
    title: words.details_of({ name }),
    about: words.details_about(),
    fetch: (signal) => fetchServiceProperties(systemId, name, signal),
  })
  return (
    <>
      <InventoryTable
        table="services"
        title={words.services()}
        columns={serviceColumns()}
        rows={services}
        keyOf={({ id }) => id}
        textOf={({ name, state }) => `${name} ${state ?? ''}`}
        actions={[{ word: words.details(), label: words.details_of, onPress: (service) => setText(propertiesOf(service)) }]}
      />
      {text !== undefined && <AgentTextDialog text={text} onClose={() => setText(undefined)} />}
    </>
  )
}
