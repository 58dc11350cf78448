import { useState } from 'react'
import { basePath } from '../../base-path.ts'
import { listOf, recordOf, textOf, type JsonRecord } from '../../api/json.ts'
import { Button } from '../../ui/button.tsx'
import * as words from '../../words/messages.js'
import type { FormField } from '../forms/form-field.ts'
import { SettingsForm } from '../forms/settings-form.tsx'
import { ProviderTest } from './provider-test.tsx'

/** List of the ids of the supported OAuth2 and OIDC providers (`oidc`, `oidc2`, `oidc3`, `google`, `github`); each can be set up once. */
const names = ['oidc', 'oidc2', 'oidc3', 'google', 'github'] as const

type ProvidersCardProps = { oauth2: JsonRecord; save: (change: JsonRecord) => Promise<unknown> }

/**
 * React component: settings card with a form for each OAuth2 or OIDC provider in the hub's settings `oauth2`. `save` stores all providers;
 * a stored secret is replaced only when a new one is typed.
 */
export function ProvidersCard({ oauth2, save }: ProvidersCardProps) {
  const stored = listOf(oauth2['providers']).map(recordOf)
  const taken = stored.flatMap(({ name }) => textOf(name) ?? [])
  const [added, setAdded] = useState<string>()
  const shown = added === undefined || taken.includes(added) ? stored : [...stored, { name: added }]
  const saveAll = (providers: readonly JsonRecord[]) => save({ oauth2: { providers } })
  const callback = `${location.origin}${basePath}/api/oauth2-redirect`
  return (
    <div className="flex flex-col gap-4">
      <SettingsForm fields={switches()} stored={oauth2} save={(change) => save({ oauth2: change })} />
      <p className="text-note text-muted wrap-anywhere">{words.office_callback({ address: callback })}</p>
      {shown.map((provider) => {
        const name = textOf(provider['name']) ?? ''
        const others = stored.filter((one) => one['name'] !== name)
        const at = taken.includes(name) ? taken.indexOf(name) : stored.length
        return (
          <section key={name} aria-label={name} className="border-t border-border pt-3">
            <div className="mb-2 flex items-center gap-2">
              <h3 className="mr-auto font-semibold">{textOf(provider['displayName']) ?? name}</h3>
              <Button onClick={() => (taken.includes(name) ? void saveAll(others) : setAdded(undefined))}>{words.office_remove()}</Button>
            </div>
            <SettingsForm
              fields={fields(name)}
              stored={provider}
              refusedBelow={`oauth2.providers.${at}.`}
              save={(change) => saveAll(stored.toSpliced(at, taken.includes(name) ? 1 : 0, { ...provider, ...change, name }))}
              renderAction={(isStored) =>
                taken.includes(name) && <ProviderTest key={JSON.stringify(provider)} name={name} callback={callback} isStored={isStored} />
              }
            />
          </section>
        )
      })}
      <div className="flex flex-wrap gap-2">
        {names
          .filter((name) => !shown.some((one) => one['name'] === name))
          .map((name) => (
            <Button key={name} onClick={() => setAdded(name)}>
              {words.office_add_provider({ name })}
            </Button>
          ))}
      </div>
    </div>
  )
}

const switches = (): readonly FormField[] => [
  { path: 'enabled', label: words.office_providers_enabled(), type: 'flag' },
  { path: 'createUsers', label: words.office_create_users(), type: 'flag', hint: words.office_create_users_hint() },
]

/**
 * Returns the list of form fields for the OAuth2 or OIDC provider with the id `name`. GitHub has no OpenID Connect, so it lacks the fields
 * for claims.
 */
const fields = (name: string): readonly FormField[] => [
  { path: 'displayName', label: words.office_display_name(), type: 'text' },
  { path: 'issuer', label: words.office_issuer(), type: 'text', hint: words.office_issuer_hint() },
  { path: 'clientId', label: words.office_client_id(), type: 'text' },
  { path: 'clientSecret', label: words.office_client_secret(), type: 'secret', hint: words.office_secret_hint() },
  ...(name === 'github'
    ? []
    : [{ path: 'groupsClaim', label: words.office_groups_claim(), type: 'text' as const, hint: words.office_groups_claim_hint() }]),
]
