import styles from "./onboarding-art.module.css";

/** Play: a phone with an Ajua board, a letter tile and a play button. */
export function PlayArt() {
  return (
    <svg viewBox="0 0 340 280" aria-hidden="true" className={styles.art}>
      <circle cx="170" cy="140" r="124" className={styles.halo} />
      <g transform="rotate(-7 170 140)">
        <rect x="110" y="26" width="120" height="228" rx="24" className={styles.phone} />
        <rect x="119" y="40" width="102" height="200" rx="14" className={styles.glass} />
        <rect x="128" y="62" width="84" height="150" rx="36" className={styles.wood} />
        {[86, 112, 138, 164, 190].map((y, row) => (
          <g key={y}>
            <circle cx="152" cy={y} r="11" className={styles.pit} />
            <circle cx="188" cy={y} r="11" className={styles.pit} />
            <circle cx="149" cy={y - 2} r="3.5" className={styles.seed} />
            <circle cx="156" cy={y + 2} r="3.5" className={styles.seed} />
            <circle cx={row % 2 ? 185 : 191} cy={y + 1} r="3.5" className={styles.seed} />
          </g>
        ))}
      </g>
      <g transform="rotate(10 270 82)">
        <rect x="242" y="54" width="56" height="62" rx="13" className={styles.paper} />
        <text x="270" y="100" className={styles.letter}>
          M
        </text>
      </g>
      <g transform="rotate(-12 66 190)">
        <circle cx="66" cy="190" r="36" className={styles.mango} />
        <path
          d="M58 174c-2-1.2-4 0-4 2.5v27c0 2.5 2 3.7 4 2.5l23-13.5c2-1.2 2-3.8 0-5Z"
          className={styles.dark}
        />
      </g>
      <circle cx="58" cy="84" r="9" className={styles.coral} />
      <circle cx="290" cy="196" r="14" className={styles.mint} />
    </svg>
  );
}

/** Compete: a podium with three players and a cup. */
export function CompeteArt() {
  return (
    <svg viewBox="0 0 340 280" aria-hidden="true" className={styles.art}>
      <circle cx="170" cy="140" r="124" className={styles.halo} />
      <path d="M54 186h76v66H54z" className={styles.silver} />
      <path d="M132 148h76v104h-76z" className={styles.gold} />
      <path d="M210 204h76v48h-76z" className={styles.bronze} />
      <text x="92" y="232" className={styles.rank}>
        2
      </text>
      <text x="170" y="214" className={styles.rank}>
        1
      </text>
      <text x="248" y="240" className={styles.rank}>
        3
      </text>
      <g className={styles.lake}>
        <path d="M68 186c0-18 10-27 24-27s24 9 24 27Z" />
        <circle cx="92" cy="141" r="17" className={styles.skin} />
      </g>
      <g className={styles.coral}>
        <path d="M144 148c0-20 11-30 26-30s26 10 26 30Z" />
        <circle cx="170" cy="98" r="19" className={styles.skin} />
      </g>
      <g className={styles.mint}>
        <path d="M224 204c0-18 10-27 24-27s24 9 24 27Z" />
        <circle cx="248" cy="159" r="17" className={styles.skin} />
      </g>
      <path
        d="M152 32h36v14c0 14-8 22-18 22s-18-8-18-22Zm-8 4h6v10c-6 0-10-4-10-10Zm52 0h-6v10c6 0 10-4 10-10ZM167 68h6v6h-6Zm-9 6h24v5h-24Z"
        className={styles.mango}
      />
      <path d="M84 70l8 8M92 70l-8 8M246 62l8 8M254 62l-8 8" className={styles.spark} />
      <circle cx="118" cy="52" r="5" className={styles.mint} />
      <circle cx="228" cy="104" r="6" className={styles.mango} />
    </svg>
  );
}

/** Cash out: coins moving from a wallet to a phone with a tick. */
export function CashArt() {
  return (
    <svg viewBox="0 0 340 280" aria-hidden="true" className={styles.art}>
      <circle cx="170" cy="140" r="124" className={styles.halo} />
      <path
        d="M40 118h124a16 16 0 0 1 16 16v84a16 16 0 0 1-16 16H40a16 16 0 0 1-16-16v-84a16 16 0 0 1 16-16Z"
        className={styles.clay}
      />
      <path
        d="M24 146l13-13 13 13 13-13 13 13 13-13 13 13 13-13 13 13 13-13 13 13 13-13 13 13M24 214l13-13 13 13 13-13 13 13 13-13 13 13 13-13 13 13 13-13 13 13 13-13 13 13"
        className={styles.weave}
      />
      <path d="M126 158h54v38h-54a19 19 0 0 1 0-38Z" className={styles.wood} />
      <circle cx="131" cy="177" r="8" className={styles.mango} />
      <path d="M92 92c22-44 78-58 124-26" className={styles.flight} />
      <g className={styles.mango}>
        <circle cx="100" cy="82" r="17" />
        <circle cx="146" cy="50" r="20" />
        <circle cx="200" cy="54" r="17" />
      </g>
      <g className={styles.dark}>
        <path d="M95 74l13 8-13 8ZM140 40l16 10-16 10ZM195 46l13 8-13 8Z" />
      </g>
      <g transform="rotate(8 252 162)">
        <rect x="208" y="82" width="92" height="164" rx="20" className={styles.phone} />
        <rect x="216" y="94" width="76" height="140" rx="11" className={styles.glass} />
        <circle cx="254" cy="148" r="26" className={styles.mint} />
        <path d="M242 148l9 9 16-18" className={styles.tick} />
        <path d="M234 192h40M242 206h24" className={styles.lines} />
      </g>
    </svg>
  );
}
