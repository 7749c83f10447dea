extension ReportScript {
    /// The timeline: a lane for the queue, one for transitions, and rows for effects and calls.
    static let lanes = #"""
        const canvas = $("lanes"), names = ["queue", "transitions", "effects", "calls"];
        let zoom = 20, bars = [], lines = [];

        // Work of one lane that overlaps is in rows below each other, four at most.
        function arrange() {
          const add = (lane, from, to, { name, outcome }, tone) =>
            bars.push({ lane, from, to, name, tone: outcome === "failed" && lane ? "--bad" : tone });
          for (const item of items) {
            if (item.wait > 0) add(0, item.start - item.wait, item.start, item, "--open");
            const lane = { call: 3, effect: 2, work: 2 }[item.kind] ?? 1;
            add(lane, item.start, item.end, item, lane === 1 ? "--link" : "--good");
          }
          bars.sort((one, other) => one.from - other.from);
          const ends = [[], [], [], []];
          for (const bar of bars) {
            const free = ends[bar.lane].findIndex(end => end <= bar.from);
            const line = free >= 0 ? free : Math.min(ends[bar.lane].length, 3);
            ends[bar.lane][line] = Math.max(ends[bar.lane][line] ?? 0, bar.to);
            bar.line = bar.lane * 4 + line;
          }
          let top = 0;
          for (const lane of ends) { lines.push(top); top += Math.max(1, lane.length) * 18 + 8; }
          canvas.style.height = `${top}px`;
        }

        function range() {
          const from = starts[Math.max(0, current - zoom)];
          const to = Math.max(turns[Math.min(count - 1, current + zoom)].end, from + 1);
          return [from - (to - from) / 50, to + (to - from) / 50];
        }

        function drawLanes() {
          const { width, height } = canvas.getBoundingClientRect(), scale = devicePixelRatio, margin = 84;
          canvas.width = width * scale;
          canvas.height = height * scale;
          const pen = canvas.getContext("2d"), style = getComputedStyle(canvas), [from, to] = range();
          const color = name => style.getPropertyValue(name);
          const x = time => margin + (time - from) / (to - from) * (width - margin);
          const colors = Object.fromEntries(["--open", "--bad", "--link", "--good"].map(name => [name, color(name)]));
          pen.scale(scale, scale);
          pen.font = "12px system-ui, sans-serif";
          pen.textBaseline = "middle";
          pen.fillStyle = color("--dim");
          names.forEach((name, lane) => pen.fillText(name, 0, lines[lane] + 10));
          // Of bars that are narrower than two pixels, one is drawn for all that would be in its place.
          const filled = new Float64Array(16).fill(-1), narrow = 2 * (to - from) / (width - margin);
          for (const bar of bars) {
            if (bar.from > to) break;
            if (bar.to < from || bar.to < filled[bar.line]) continue;
            filled[bar.line] = Math.max(bar.to, bar.from + narrow);
            const left = Math.max(margin, x(bar.from)), right = Math.min(width, Math.max(x(bar.to), left + 2));
            const top = lines[bar.lane] + bar.line % 4 * 18;
            pen.fillStyle = colors[bar.tone];
            pen.fillRect(left, top, Math.max(1, right - left - 0.5), 16);
            if (right - left < 30) continue;
            pen.save();
            pen.beginPath();
            pen.rect(left, top, right - left - 4, 16);
            pen.clip();
            pen.fillStyle = color("--back");
            pen.fillText(bar.name, left + 4, top + 8.5);
            pen.restore();
          }
          pen.fillStyle = color("--text");
          pen.fillRect(x(starts[current]) - 1, 0, 1, height);
          $("range").textContent = `${timeText(Math.max(0, from))} to ${timeText(to)}`;
        }

        canvas.onclick = event => {
          const { left, width } = canvas.getBoundingClientRect(), [from, to] = range();
          const time = from + (event.clientX - left - 84) / (width - 84) * (to - from);
          select(Math.max(0, place(starts, time)));
        };

        function zoomBy(factor) {
          zoom = Math.max(2, Math.min(count, Math.round(zoom * factor)));
          drawLanes();
        }

        // The work in flight at the beginning of the next turn as text, for readers without the timeline.
        function running(row) {
          const time = starts[row + 1] ?? index.end;
          return spans.filter(item => item.turn <= numbers[row])
            .filter(({ start, end, isOpen }) => start <= time && (isOpen || end > time))
            .map(({ name, detail, turn, start }) => `${name} ${detail}, since turn ${turn}, ${timeText(time - start)}`);
        }


        """#
}
