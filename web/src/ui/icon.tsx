const paths = {
  mark: 'M10 2 17 5v5c0 4-3 6.7-7 8-4-1.3-7-4-7-8V5ZM5.5 10.5h2l1.5-3.5 2 6 1.5-2.5h2',
  search: 'M9 4a5 5 0 1 1 0 10A5 5 0 0 1 9 4Zm3.7 8.7L16.5 16.5',
  sun: 'M10 6.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7ZM10 2v1.8M10 16.2V18M2 10h1.8M16.2 10H18M4.3 4.3l1.3 1.3M14.4 14.4l1.3 1.3M4.3 15.7l1.3-1.3M14.4 5.6l1.3-1.3',
  moon: 'M16.5 11.8A6.8 6.8 0 1 1 8.2 3.5a5.4 5.4 0 0 0 8.3 8.3Z',
  screen: 'M3 4h14v9H3ZM7.5 16.5h5M10 13v3.5',
  person: 'M10 4a3 3 0 1 1 0 6 3 3 0 0 1 0-6ZM4 16.8c.7-3.3 3-5 6-5s5.3 1.7 6 5',
  plus: 'M10 4.5v11M4.5 10h11',
  dots: 'M5 10h.01M10 10h.01M15 10h.01',
  bell: 'M10 3.5a4.6 4.6 0 0 0-4.6 4.6c0 4.2-1.6 5.3-1.6 5.3h12.4s-1.6-1.1-1.6-5.3A4.6 4.6 0 0 0 10 3.5ZM8.4 16a1.9 1.9 0 0 0 3.2 0',
  copy: 'M7.5 7.5h8.5V16H7.5ZM12.5 7.5V4H4v8.5h3.5',
  close: 'M5.5 5.5l9 9M14.5 5.5l-9 9',
  check: 'M4.5 10.5l3.7 3.7 7.3-8',
  up: 'M10 15.5v-11M5.5 9 10 4.5 14.5 9',
  down: 'M10 4.5v11M5.5 11l4.5 4.5 4.5-4.5',
  sliders: 'M4 6.5h6M14 6.5h2M12 4.5v4M4 13.5h2M10 13.5h6M8 11.5v4',
  chevron: 'M5.5 8l4.5 4.5L14.5 8',
  table: 'M3.5 4.5h13v11h-13ZM3.5 8.2h13M3.5 11.9h13M8.5 4.5v11',
  compare: 'M4.5 16V9.5M10 16V4M15.5 16v-5',
  tag: 'M3.5 3.5h6.3l6.7 6.7-6.3 6.3-6.7-6.7ZM7 7h.01',
  groups: 'M3.5 4.5h13M7 8.2h9.5M7 11.8h9.5M3.5 15.5h13',
  views: 'M5.5 3.5h9v13L10 13.2l-4.5 3.3Z',
  back: 'M8 5 3.5 9.5 8 14M4 9.5h8a4.2 4.2 0 0 1 0 8.4h-2',
} as const

export type IconName = keyof typeof paths

/**
 * React component: decorative SVG icon, such as `chevron`, in the colour of its text, hidden from screen readers. `className` sets its
 * size.
 */
export function Icon({ name, className = 'size-4' }: { name: IconName; className?: string }) {
  return (
    <svg
      viewBox="0 0 20 20"
      className={className}
      fill="none"
      stroke="currentColor"
      strokeWidth={name === 'dots' ? 2.6 : 1.6}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={paths[name]} />
    </svg>
  )
}
