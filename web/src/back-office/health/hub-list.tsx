import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getJson, sendRequest } from '../../api/client.ts'
import { officeKeys } from '../../api/keys.ts'
import { messageOf } from '../../api/request-failed.ts'
import { formatAmount, formatBytes } from '../../format/bytes.ts'
import { formatPercent } from '../../format/percent.ts'
import { useFormats } from '../../preferences/use-preferences.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FormError } from '../../ui/form-error.tsx'
import * as words from '../../words/messages.js'
import { readHubs, type HubItem } from './hubs.ts'

const REFRESH_MS = 5_000

/**
 * React component: card that lists the hubs which share the database, with their state and load. Renders nothing when there is only one.
 */
export function HubList() {
  const hubs = useQuery({
    queryKey: officeKeys.hubs,
    queryFn: async ({ signal }) => readHubs(await getJson('/api/vedette/hubs', signal)),
    refetchInterval: REFRESH_MS,
  })
  if (hubs.data === undefined || hubs.data.length < 2) return null
  return (
    <Card title={words.office_health_hubs()} description={words.office_health_hubs_about()}>
      <ul className="divide-y divide-border">
        {hubs.data.map((hub) => (
          <HubRow key={hub.id} hub={hub} />
        ))}
      </ul>
    </Card>
  )
}

function HubRow({ hub: { id, name, version, systems, silentMs, state, isThis, load } }: { hub: HubItem }) {
  const formats = useFormats()
  const cache = useQueryClient()
  const drain = useMutation({
    mutationFn: () => sendRequest(state === 'draining' ? 'DELETE' : 'POST', `/api/vedette/hubs/${encodeURIComponent(id)}/drain`),
    onSuccess: () => cache.invalidateQueries({ queryKey: officeKeys.hubs }),
  })
  const label = state === 'draining' ? words.office_hub_end_drain() : words.office_hub_drain()
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1.5 py-3">
      <div className="min-w-56 flex-1">
        <h3 className="font-medium">{isThis ? words.office_hub_this({ name }) : name}</h3>
        <p className="text-note text-muted">
          {words.office_hub_facts({
            systems: formatAmount(systems, formats),
            version,
            seconds: formatAmount(Math.round(silentMs / 1000), formats),
          })}
        </p>
        {load !== undefined && (
          <p className="text-note text-muted">
            {words.office_hub_load({
              cpu: formatPercent(load.cpuPercent, formats),
              memory: formatBytes(load.residentBytes, formats),
              late: formatAmount(load.loopLateMs, formats),
            })}
          </p>
        )}
        {drain.isError && <FormError message={messageOf(drain.error)} />}
      </div>
      <StateOf state={state} />
      {state !== 'gone' && state !== 'clock-wrong' && (
        <Button disabled={drain.isPending} aria-label={`${label}: ${name}`} onClick={() => drain.mutate()}>
          {label}
        </Button>
      )}
    </li>
  )
}

function StateOf({ state }: Pick<HubItem, 'state'>) {
  if (state === 'running') return null
  if (state === 'clock-wrong') return <span className="text-note text-warn">{words.office_hub_state_clock()}</span>
  return (
    <span className="text-note text-muted">{state === 'gone' ? words.office_hub_state_gone() : words.office_hub_state_draining()}</span>
  )
}
