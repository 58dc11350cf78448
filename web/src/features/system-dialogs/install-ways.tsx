import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/cn.ts'
import { Icon } from '../../ui/icon.tsx'
import * as words from '../../words/messages.js'
import { composeText, type AgentContainer } from './compose-text.ts'
import { fileCommand, systemdUnit } from './install-texts.ts'

type Way = {
  readonly id: string
  readonly label: () => string
  readonly title: () => string
  readonly copyLabel: () => string
  readonly about?: () => string
  readonly text: (agent: AgentContainer) => string
}

const compose: Way = {
  id: 'compose',
  label: words.install_compose,
  title: words.compose_title,
  copyLabel: words.copy_compose,
  text: composeText,
}

const ways: readonly Way[] = [
  compose,
  {
    id: 'file',
    label: words.install_file,
    title: words.install_text,
    copyLabel: words.copy_command,
    about: words.install_file_about,
    text: fileCommand,
  },
  {
    id: 'systemd',
    label: words.install_systemd,
    title: words.install_text,
    copyLabel: words.copy_command,
    about: words.install_systemd_about,
    text: systemdUnit,
  },
]

/** The ways in which an agent gets onto a machine: what will be copied, to be read before it is. */
export function InstallWays({ agent, onCopy }: { agent: AgentContainer; onCopy: (text: string) => void }) {
  const [chosen, setChosen] = useState(compose)
  const { title, copyLabel, about } = chosen
  const text = chosen.text(agent)
  return (
    <div className="flex flex-col gap-1.5">
      <fieldset aria-label={words.install_way()} className="flex flex-wrap gap-1">
        {ways.map((way) => (
          <button
            key={way.id}
            type="button"
            aria-pressed={way === chosen}
            onClick={() => setChosen(way)}
            className={cn(
              'h-7 rounded-control px-2 text-note',
              way === chosen ? 'bg-track font-medium text-text' : 'text-muted hover:bg-hover',
            )}
          >
            {way.label()}
          </button>
        ))}
      </fieldset>
      {about !== undefined && <p className="text-note text-muted">{about()}</p>}
      <div className="flex flex-wrap items-end justify-between gap-2">
        <span className="text-note font-medium">{title()}</span>
        <Button onClick={() => onCopy(text)} disabled={agent.publicKey === ''}>
          <Icon name="copy" />
          {copyLabel()}
        </Button>
      </div>
      <pre
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls has to be reachable by keyboard
        tabIndex={0}
        aria-label={title()}
        className="max-h-52 overflow-auto rounded-control border border-border bg-sunken p-3 font-mono text-small"
      >
        {text}
      </pre>
    </div>
  )
}
