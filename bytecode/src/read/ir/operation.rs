//! One operation (`BytecodeFormat.md` of MLIR, "Operation Encoding"), up to its regions.

use super::*;

impl BodyReader<'_> {
    pub(super) fn operation(&mut self) -> Result<()> {
        let outermost = self.room.frames.len() == 1;
        let Some(frame) = self.room.frames.last_mut() else { return Ok(()) };
        let (scope_base, outside) = (frame.scope_base, frame.outside as u64);
        let Some(region) = frame.region.as_mut() else { return Ok(()) };
        let (Some(build), Some(block)) = (self.room.builds.last_mut(), region.block) else { return Ok(()) };
        let body = &mut build.body;
        let start = self.cursor.position();
        let cursor = &mut self.cursor;

        let name = cursor.index()?;
        let name = self.file.operation_name(name).map_err(|error| error.at(start as u64))?;
        let mask = cursor.byte()?;
        if mask & mask::UNKNOWN != 0 {
            return Err(cursor.error("the highest bit of an operation's mask means nothing in this version"));
        }
        let location = attribute_ref(cursor, self.counts.attributes)?;
        let attributes = match mask & mask::ATTRIBUTES {
            0 => None,
            _ => Some(attribute_ref(cursor, self.counts.attributes)?),
        };
        let properties = match mask & mask::PROPERTIES {
            0 => None,
            _ if self.version < 5 => return Err(cursor.error("properties before bytecode version 5")),
            _ => {
                let index = cursor.varint()?;
                if index >= u64::from(self.counts.properties) {
                    return Err(cursor.error(format!("property blob {index} of {}", self.counts.properties)));
                }
                Some(local(cursor, index as u32)?)
            }
        };

        let op = OpId::from_index(body.operation_count());
        let mut results = 0;
        let mut first_result = Value::from_index(0);
        if mask & mask::RESULTS != 0 {
            results = cursor.count(1, "result")?;
            if region.value_count == 0 || results > region.value_count - region.defined {
                if region.value_count > 0 {
                    return Err(cursor.error("more values than the region announced"));
                }
                // A region that announces none: its results cannot be referred to.
                first_result = body.push_values(results, self.none);
            } else if results > 0
                && let Some(&value) = self.room.scope.get(region.values + region.defined)
            {
                first_result = value;
                region.defined += results;
                self.undefined = self.undefined.saturating_sub(results);
            }
            let first = first_result.index();
            for number in 0..results {
                let ty = cursor.varint()?;
                let ty = type_ref(cursor, ty, self.counts.types)?;
                body.define_result(Value::from_index(first + number), op, ty);
            }
        }
        let operands = body.operand_start();
        if mask & mask::OPERANDS != 0 {
            let count = cursor.count(1, "operand")?;
            let known = outside < UNKNOWN as u64;
            let values = self.room.scope.get(scope_base..).filter(|_| known).unwrap_or_default();
            if count > MOST - operands as usize {
                return Err(cursor.error("more than 2^31 - 2 operands in one body"));
            }
            for _ in 0..count {
                let number = cursor.varint()?;
                let inside = number.checked_sub(outside).and_then(|inside| usize::try_from(inside).ok());
                match inside.and_then(|inside| values.get(inside)) {
                    Some(&value) => body.push_operand(value),
                    None => {
                        self.lost = !known;
                        let count = values.len() as u64 + outside;
                        return Err(cursor.error(format!("value {number} of {count}")));
                    }
                }
            }
        }
        if let Some(places) = &mut self.places
            && outermost
        {
            places.push((op, start as u64));
        }
        let head = OpHead { name, location, attributes, properties };
        body.push_operation(block, head, operands, (first_result, results as u32));
        if mask & mask::SUCCESSORS != 0 {
            let count = cursor.count(1, "successor")?;
            let mut successors = Vec::with_capacity(count);
            for _ in 0..count {
                let number = cursor.varint()?;
                if number >= region.block_count as u64 {
                    return Err(cursor.error(format!("block {number} of {}", region.block_count)));
                }
                successors.push(BlockId::from_index(region.first_block + number as usize));
            }
            body.push_successors(op, successors.into_iter());
        }
        // Files before version 3 have no orders, whatever the bit says.
        if mask & mask::USE_LISTS != 0 && self.version >= 3 {
            let at = cursor.position();
            for order in use_lists::read(cursor, results)? {
                build.orders.push((Value::from_index(first_result.index() + order.value), order.order, at));
            }
        }
        if mask & mask::REGIONS != 0 {
            let (count, isolated) = cursor.varint_with_flag()?;
            let count = cursor.check_count(count, 1, "region")?;
            let Ok(count) = u32::try_from(count) else {
                return Err(cursor.error(format!("{} of one operation", Error::counted(count, "region"))));
            };
            if count > 0 {
                return self.enter(op, name, count, isolated);
            }
        }
        Ok(())
    }

    /// Goes on with the regions of `op`, or leaves them where they stand.
    fn enter(&mut self, op: OpId, name: mlirbc_ir::OperationName, count: u32, isolated: bool) -> Result<()> {
        let (at, outer) = (self.cursor.position(), self.cursor.end());
        let section = if isolated && self.version >= 2 {
            let at = self.cursor.position() as u64;
            let header = self.cursor.section().map_err(|error| error.reading("the section of a region"))?;
            if header.id != SectionId::Ir as u8 {
                return Err(Error::malformed(format!("regions stand in a section of id {}, not 4", header.id)).at(at));
            }
            if count as usize > header.end - header.start {
                let message = format!(
                    "{} in a section of {}",
                    Error::counted(count, "region"),
                    Error::counted(header.end - header.start, "byte")
                );
                return Err(Error::malformed(message).at(at));
            }
            Some((header.start, header.end))
        } else {
            None
        };
        let mark = if isolated { IsolationMark::Isolated } else { IsolationMark::Inline };
        let definition = self.file.context().definition(name);
        let by_definition =
            definition.is_some_and(|definition| definition.traits.contains(Traits::ISOLATED_FROM_ABOVE));
        if self.room.frames.len() >= self.file.limits.region_depth as usize {
            return Err(self.cursor.error(format!("regions nested deeper than {}", self.file.limits.region_depth)));
        }
        let inherited = self.room.frames.last().map_or((0, 0), |frame| (frame.scope_base, frame.outside));
        let Some(build) = self.room.builds.last_mut() else { return Ok(()) };
        if by_definition && !isolated && !self.apart.contains(&at) {
            build.unmarked.push((op, at));
        } else if by_definition {
            let owner = Some((build.id, op));
            match section {
                Some((start, end)) => {
                    let empty = end.saturating_sub(start) == count as usize
                        && self
                            .file
                            .guarded()
                            .get(start..end)?
                            .is_some_and(|bytes| bytes.iter().all(|&byte| byte == 1));
                    let child = (!empty).then(|| {
                        let pending =
                            PendingBody { offset: start as u64, length: (end - start) as u64, regions: count };
                        self.module.declare(None, Some(pending), owner)
                    });
                    build.body.set_region_body(op, child, count, mark);
                }
                None => {
                    let child = self.module.declare(None, None, owner);
                    build.body.set_region_body(op, Some(child), count, mark);
                    // Where the file does not mark it, values go on with the numbers of those around it.
                    let outside = if isolated { 0 } else { self.room.scope.len() - inherited.0 + inherited.1 };
                    self.begin_body(child, count, outside)?;
                }
            }
            return Ok(());
        }
        let next_region = build.body.region_count();
        if count as usize > MOST - next_region {
            return Err(self.cursor.error("more than 2^31 - 2 regions in one body"));
        }
        if let Some((start, end)) = section {
            self.cursor.jump(start, end);
        }
        self.announce_parts(count as usize)?;
        let Some(build) = self.room.builds.last_mut() else { return Ok(()) };
        build.body.reserve_blocks(0, count as usize);
        build.body.push_regions(op, count, mark);
        let (scope_base, outside) = if isolated { (self.room.scope.len(), 0) } else { inherited };
        self.room.frames.push(Frame {
            regions: count,
            next_region,
            scope_base,
            outside,
            section: section.map(|(_, end)| (end, outer)),
            whole_body: false,
            region: None,
        });
        Ok(())
    }
}
