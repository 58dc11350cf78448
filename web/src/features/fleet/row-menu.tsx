import type { ReactElement } from 'react'
import { useLocation } from 'wouter'
import { setPaused } from '../../api/change-systems.ts'
import { messageOf } from '../../api/request-failed.ts'
import type { System } from '../../api/system-record.ts'
import { paths } from '../../paths.ts'
import { copyText } from '../../ui/clipboard.ts'
import { Menu, MenuItem, MenuLink, MenuSeparator } from '../../ui/menu.tsx'
import { showToast } from '../../ui/toasts.ts'
import * as words from '../../words/messages.js'
import type { OpenRowDialog } from './row-dialog.ts'
import { toggleSelected } from './selection.ts'

type RowMenuProps = {
  trigger: ReactElement
  system: System
  address: string
  mayChange: boolean
  onDialog: OpenRowDialog
}

export function RowMenu({ trigger, system, address, mayChange, onDialog }: RowMenuProps) {
  const [, navigate] = useLocation()
  const href = paths.system(address)
  const copy = (text: string) => void copyText(text, { copied: words.copied(), askManually: words.copy_manually() })
  const isPaused = system.status === 'paused'
  return (
    <Menu trigger={trigger}>
      <MenuLink href={href} onOpen={() => navigate(href)}>
        {words.open_action()}
      </MenuLink>
      {mayChange && (
        <>
          <MenuItem onSelect={() => onDialog('edit', system.id)}>{words.edit()}</MenuItem>
          <MenuItem onSelect={() => onDialog('tags', system.id)}>{words.tags()}</MenuItem>
          <MenuItem onSelect={() => void pauseOrSay(system, !isPaused)}>{isPaused ? words.resume() : words.pause()}</MenuItem>
          {/* Needed for touch, where no hover shows the checkbox. */}
          <MenuItem onSelect={() => toggleSelected(system.id)}>{words.select()}</MenuItem>
        </>
      )}
      <MenuSeparator />
      <MenuItem onSelect={() => copy(system.name)}>{words.copy_name()}</MenuItem>
      <MenuItem onSelect={() => copy(system.host)}>{words.copy_host()}</MenuItem>
      {mayChange && (
        <>
          <MenuSeparator />
          <MenuItem danger onSelect={() => onDialog('delete', system.id)}>
            {words.delete_action()}
          </MenuItem>
        </>
      )}
    </Menu>
  )
}

async function pauseOrSay(system: System, isPaused: boolean): Promise<void> {
  try {
    await setPaused(system, isPaused)
  } catch (error) {
    const title = isPaused ? words.pause_failed({ name: system.name }) : words.resume_failed({ name: system.name })
    showToast({ title, description: messageOf(error), look: 'destructive' })
  }
}
