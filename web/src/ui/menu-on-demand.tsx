import { useState, type ComponentProps, type ReactElement, type ReactNode } from 'react'
import { Button } from './button.tsx'

type MenuOnDemandProps = {
  button: ComponentProps<typeof Button> & { 'data-tooltip'?: string }
  /**
   * Function that loads the menu's code and resolves when `renderMenu` can be called. It is called on hover, focus and press of the menu's
   * button.
   */
  load: () => Promise<void>
  /** Function that renders the open menu. `trigger` is the menu's button, which the result must contain. */
  renderMenu: (trigger: ReactElement) => ReactNode
  /** Function that renders a note beside the menu's button when the menu's code cannot be loaded. */
  renderFailed: () => ReactNode
}

/**
 * React component: button of a menu. The menu's code is loaded when the pointer, the focus or a press first reaches the button, so that no
 * page waits for it. `button` are the button's props.
 */
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
