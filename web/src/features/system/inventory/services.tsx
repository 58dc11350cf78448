import { fetchServiceProperties, type Service } from '../../../api/inventory.ts'
import { LoadedPart } from '../../../navigation/loaded-part.tsx'
import { useDialog } from '../../../navigation/use-dialog.ts'
import { useFormats } from '../../../preferences/use-preferences.ts'
import { onDemand } from '../../../ui/on-demand.tsx'
import * as words from '../../../words/messages.js'
import type { AgentText } from './agent-text-dialog.tsx'
import { InventoryTable } from './inventory-table.tsx'
import { serviceColumns } from './things.tsx'

const AgentTextDialog = onDemand(async () => (await import('./agent-text-dialog.tsx')).AgentTextDialog)

/**
 * React component: table of a system's systemd units; a button in each row opens a dialog with the unit's properties. Renders nothing
 * without units.
 */
export function Services({ systemId, services }: { systemId: string; services: readonly Service[] }) {
  const formats = useFormats()
  const { dialog, item, open, close } = useDialog()
  if (services.length === 0) return null
  const shown = dialog === 'service' ? services.find(({ name }) => name === item) : undefined
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
        columns={serviceColumns(formats)}
        rows={services}
        keyOf={({ id }) => id}
        textOf={({ name, state }) => `${name} ${state ?? ''}`}
        actions={[{ word: words.details(), label: words.details_of, onPress: ({ name }) => open('service', name) }]}
      />
      <LoadedPart>{shown !== undefined && <AgentTextDialog text={propertiesOf(shown)} onClose={close} />}</LoadedPart>
    </>
  )
}
