import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { keys } from '../../api/keys.ts'
import { systemsQuery } from '../../api/queries.ts'
import { messageOf } from '../../api/request-failed.ts'
import { setAlert, type SystemAlert } from '../../api/system-alerts.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import * as words from '../../words/messages.js'

/**
 * React component: button that copies the alert rules `alerts` of one system to all other systems that the user can see. The copies watch
 * whole systems and have one threshold, so a rule with a warning or a clear threshold is not copied. Existing rules there stay unchanged.
 */
export function SpreadAlerts({ alerts, systemId }: { alerts: readonly SystemAlert[]; systemId: string }) {
  const client = useQueryClient()
  const { data: systems = [] } = useQuery(systemsQuery)
  const copied = alerts.filter(({ levels }) => levels === undefined)
  const others = systems.flatMap(({ id }) => (id === systemId ? [] : [id]))
  const spread = useMutation({
    mutationFn: async () => {
      for (const { name, value = 0, minutes } of copied) await setAlert({ systems: others, name, value, minutes }, false)
    },
    // Some rules may be set even when others failed.
    onSettled: () => client.invalidateQueries({ queryKey: keys.allSystemAlerts }),
  })
  if (others.length === 0 || copied.length === 0) return null
  return (
    <div className="flex flex-col gap-1.5">
      <Button disabled={spread.isPending} onClick={() => spread.mutate()} className="justify-center">
        {words.spread_alerts({ count: others.length })}
      </Button>
      {spread.isError && <FormError message={messageOf(spread.error)} />}
      <output className="block min-h-5 text-center text-small text-muted">
        {spread.isSuccess ? words.alerts_spread() : words.spread_alerts_about()}
        {copied.length < alerts.length && ` ${words.spread_alerts_levels()}`}
      </output>
    </div>
  )
}
