import { useMutation, useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import type { AgentHandout } from '../../api/agent-handout.ts'
import { agentHandoutQuery, fetchUniversalToken, hubUrl } from '../../api/agent-handout-query.ts'
import { messageOf } from '../../api/request-failed.ts'
import { useDialog } from '../../navigation/use-dialog.ts'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/cn.ts'
import { Icon } from '../../ui/icon.tsx'
import { ScrollBox } from '../../ui/scroll-box.tsx'
import { Switch } from '../../ui/switch.tsx'
import * as words from '../../words/messages.js'
import { composeText, type AgentOptions } from './compose-text.ts'
import { fileLine, installLine, removeLine } from './install-texts.ts'

/**
 * Text to copy in a guide for installing an agent (a command or a file). It has its heading, the accessible label of its copy button, and
 * the text.
 */
type Piece = { readonly title: string; readonly copyLabel: string; readonly text: string }
/**
 * Guide for one way to install an agent: an introduction, and texts to copy. Without texts to copy, `about` says that the hub does not
 * offer the needed files.
 */
type Guide = { readonly about?: string; readonly pieces: readonly Piece[] }

type Way = {
  readonly id: string
  readonly label: () => string
  readonly guide: (agent: AgentOptions, handout: AgentHandout) => Guide
}

const compose: Way = {
  id: 'compose',
  label: words.install_compose,
  guide: (agent, { image }) => ({
    pieces: [{ title: words.compose_title(), copyLabel: words.copy_compose(), text: composeText(agent, image) }],
  }),
}

const piece = (title: string, text: string): Piece => ({ title, copyLabel: words.copy_command(), text })

const service: Way = {
  id: 'service',
  label: words.install_service,
  guide(agent, handout) {
    const about = aboutService(handout)
    if (about === undefined) return { about: words.install_none(), pieces: [] }
    return {
      about,
      pieces: [
        piece(words.install_text(), installLine(agent, handout)),
        piece(words.install_remove(), removeLine),
        piece(words.install_unit(), handout.service.trimEnd()),
      ],
    }
  },
}

/**
 * Returns a translated sentence about installing the agent as a service. It names the platforms, if any, for which this hub offers a native
 * agent; `undefined` when the hub offers no agent.
 */
function aboutService({ platforms, scriptSha256 }: AgentHandout): string | undefined {
  const named = platforms.join(', ')
  if (platforms.length === 0) return scriptSha256 === undefined ? undefined : words.install_service_node()
  return scriptSha256 === undefined ? words.install_service_native({ platforms: named }) : words.install_service_about({ platforms: named })
}

const file: Way = {
  id: 'file',
  label: words.install_file,
  guide(agent, handout) {
    const { scriptSha256 } = handout
    if (scriptSha256 === undefined) return { about: words.install_none(), pieces: [] }
    return { about: words.install_file_about(), pieces: [piece(words.install_text(), fileLine(agent, handout, scriptSha256))] }
  },
}

const ways: readonly Way[] = [compose, service, file]

/**
 * React component: tabs with the ways to install an agent (Docker Compose, service, single file), each with texts to copy. `agent` has
 * port and public key for these texts; the component's switch adds the hub's URL and a token. `onCopy` must copy one text.
 */
export function InstallWays({ agent: dialled, onCopy }: { agent: AgentOptions; onCopy: (text: string) => void }) {
  const { tab, chooseTab } = useDialog()
  const chosen = ways.find(({ id }) => id === tab) ?? compose
  const lent = useMutation({ mutationFn: fetchUniversalToken })
  const agent = lent.data === undefined ? dialled : { ...dialled, dials: { hubUrl: hubUrl(), token: lent.data } }
  const { data: handout, error } = useQuery(agentHandoutQuery)
  const { about, pieces } = handout === undefined ? { pieces: [] } : chosen.guide(agent, handout)
  return (
    <div className="flex flex-col gap-1.5">
      <fieldset aria-label={words.install_way()} className="flex flex-wrap gap-1">
        {ways.map((way) => (
          <button
            key={way.id}
            type="button"
            aria-pressed={way === chosen}
            onClick={() => chooseTab(way.id)}
            className={cn(
              'h-7 rounded-control px-2 text-note',
              way === chosen ? 'bg-track font-medium text-text hover:bg-border-strong' : 'text-muted hover:bg-hover',
            )}
          >
            {way.label()}
          </button>
        ))}
      </fieldset>
      {handout === undefined && error !== null && (
        <p role="alert" className="text-note text-crit">
          {words.install_failed()}: {messageOf(error)}
        </p>
      )}
      <DialsSwitch isOn={lent.data !== undefined} isPending={lent.isPending} onChange={(isOn) => (isOn ? lent.mutate() : lent.reset())} />
      {lent.error !== null && (
        <p role="alert" className="text-note text-crit">
          {messageOf(lent.error)}
        </p>
      )}
      {about !== undefined && <p className="text-note text-muted">{about}</p>}
      {pieces.map((one) => (
        <TextToCopy key={one.title} piece={one} disabled={agent.publicKey === ''} onCopy={onCopy} />
      ))}
    </div>
  )
}

function DialsSwitch({ isOn, isPending, onChange }: { isOn: boolean; isPending: boolean; onChange: (isOn: boolean) => void }) {
  const labelId = useId()
  return (
    <div className="flex items-start justify-between gap-3 py-1">
      <div>
        <span id={labelId} className="text-note font-medium">
          {words.install_dials()}
        </span>
        <p className="text-note text-muted">{words.install_dials_about()}</p>
      </div>
      <Switch labelledBy={labelId} isOn={isOn} disabled={isPending} onChange={onChange} />
    </div>
  )
}

function TextToCopy({ piece: { title, copyLabel, text }, disabled, onCopy }: TextToCopyProps) {
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-2">
        <span className="text-note font-medium">{title}</span>
        <Button aria-label={`${copyLabel}: ${title}`} onClick={() => onCopy(text)} disabled={disabled}>
          <Icon name="copy" />
          {copyLabel}
        </Button>
      </div>
      <ScrollBox label={title} className="max-h-52 border border-border bg-sunken p-3">
        <pre className="w-max min-w-full font-mono text-small">{text}</pre>
      </ScrollBox>
    </>
  )
}

type TextToCopyProps = { piece: Piece; disabled: boolean; onCopy: (text: string) => void }
