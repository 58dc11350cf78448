import { useState, type ComponentProps, type ReactElement, type ReactNode } from 'react'
import { Button } from './button.tsx'

type MenuOnDemandProps = {
  button: ComponentProps<typeof Button>
  /** Fetches the code of the menu: called at the first sign of interest in it, and when it is pressed. */
  load: () => Promise<void>
  /** The menu around its button; it is open when it appears. */
  renderMenu: (trigger: ReactElement) => ReactNode
  /** Shown beside the button when the menu cannot be loaded. */
  renderFailed: () => ReactNode
}

/** A button whose menu is loaded when it is first pressed, so that no page waits for menus nobody opens. */
export function MenuOnDemand({ button, load, renderMenu, renderFailed }: MenuOnDemandProps) {
  const [state, setState] = useState<'closed' | 'open' | 'failed'>('closed')
  if (state === 'open') return renderMenu(<Button {...button} />)
  const preload = () => void load().catch(() => undefined)
  const open = () =>
    void load().then(
      () => setState('open'),
      () => setState('failed'),
    )
  return (
    <>
      <Button {...button} aria-haspopup="menu" aria-expanded={false} onPointerEnter={preload} onFocus={preload} onClick={open} />
      {state === 'failed' && renderFailed()}
    </>
  )
}
